import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/folders";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { TestClient } from "../support/testClient";

/** The examples of docs/api.md unchanged, against a server started like `npm start`. */

const root = new URL("../../", import.meta.url).pathname;
const guide = readFileSync(join(root, "docs/api.md"), "utf8");
const run = promisify(execFile);
const LOGIN = { username: "ada", password: "correct horse" };

/** Returns all blocks of one language joined, because they are one script. */
const scriptOf = (language: string): string =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))].map(([, block]) => block).join("\n");

const isHere = (command: string, ...words: string[]): Promise<boolean> =>
  run(command, words).then(
    () => true,
    () => false,
  );

/** Skips an example with a warning if its program is missing. */
const curl =
  (await isHere("curl", "--version")) && (await isHere("jq", "--version")) && (await isHere("bash", "-c", ""));
const pythons = ["python3", "/usr/bin/python3", "python"];
const able = await Promise.all(pythons.map((python) => isHere(python, "-c", "import requests")));
const python = pythons.find((_, i) => able[i]);
if (!curl) console.warn("SKIPPED: the examples in curl need bash, curl and jq.");
if (!python) console.warn("SKIPPED: the examples in Python need Python with requests.");

describe("examples on the API page", () => {
  let server: LiveServer;
  let client: TestClient;
  let folder: string;
  let token: string;
  beforeAll(async () => {
    server = await startLiveServer();
    client = new TestClient(server.url);
    await client.post("user/register", LOGIN);
    token = (await client.post("user/tokens", { name: "examples" })).body.secret;
    folder = temporaryFolder();
    for (const name of ["quay", "one", "two"]) writeFileSync(join(folder, `${name}.jpg`), await image(name.length));
  });
  afterAll(() => server.remove());

  const env = () => ({
    PATH: process.env.PATH,
    HOME: folder,
    LIMN_URL: server.url.replace(/\/$/, ""),
    LIMN_TOKEN: token,
    LIMN_USER: `${LOGIN.username}:${LOGIN.password}`,
  });

  test.skipIf(!curl)("run in curl", async () => {
    const script = `set -euo pipefail\n${scriptOf("bash")}`;
    const { stdout } = await run("bash", ["-c", script], { cwd: folder, env: { ...env(), LIMN_TOKEN: "" } });
    expect(stdout).toMatch(/^ada\n/);
    expect(stdout).toContain('"path":"more/one.jpg","status":"added"');
    expect(stdout).toContain('"area":9600,"bbox":[100,80,120,80]');
    await expectDataset("Harbour", "boat", 2);
  });

  test.skipIf(!python)("run in Python", async () => {
    const { stdout } = await run(python ?? "", ["-c", scriptOf("python")], { cwd: folder, env: env() });
    expect(stdout).toContain("more/two.jpg added");
    expect(stdout).toMatch(/^9600$/m);
    await expectDataset("Street", "car", 2);
  });

  test("run in TypeScript", async () => {
    const script = join(root, "docs/examples/orchard.ts");
    const args = ["--import", import.meta.resolve("tsx"), script, "quay.jpg", "one.jpg"];
    const { stdout } = await run(process.execPath, args, { cwd: folder, env: env() });
    expect(stdout).toContain("quay.jpg: added");
    expect(stdout).toMatch(/^annotation \d+: \d+ pixels$/m);
    expect(stdout).toMatch(/^404: /m);
    await expectDataset("Orchard", "apple", 2);
  });

  /** Expects that the example has created the dataset, and annotations of the category with a shape. */
  async function expectDataset(name: string, category: string, annotations: number): Promise<void> {
    const all: { id: number; name: string }[] = (await client.get("dataset/")).body;
    const id = all.find((dataset) => dataset.name === name)?.id;
    const coco = (await client.get(`dataset/${id}/coco`)).body;
    const { id: categoryId } = coco.categories.find((each: { name: string }) => each.name === category);
    const of = coco.annotations.filter((each: { category_id: number }) => each.category_id === categoryId);
    expect(of.filter((each: { area: number }) => each.area > 0)).toHaveLength(annotations);
    const imports = (await client.get(`dataset/${id}/imports`)).body;
    expect(imports).toMatchObject([{ state: "complete" }]);
  }

  /** Draws an ellipse whose extreme points are those that the examples click. */
  function image(shade: number): Promise<Buffer> {
    const [width, height] = [320, 240];
    const isInside = (x: number, y: number) => ((x - 159.5) / 70) ** 2 + ((y - 119.5) / 45) ** 2 <= 1;
    const colors = Array.from({ length: width * height }, (_, i) =>
      isInside(i % width, Math.floor(i / width)) ? [238, 187, 136] : [34, 17 * shade, 102],
    );
    return sharp(Buffer.from(colors.flat()), { raw: { width, height, channels: 3 } })
      .jpeg()
      .toBuffer();
  }
});
