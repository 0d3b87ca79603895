import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/folders";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { loadPhotographs, type Photographs } from "../support/photographs";
import { TestClient } from "../support/testClient";
import { type CliOptions, runCli } from "./runCli";

/** The command line against a server started like `npm start`, with real photographs where they are. */
describe("the command line", () => {
  let server: LiveServer;
  let token: string;
  let folder: string;
  let photographs: Photographs;
  let env: Record<string, string>;
  const cli = (argv: string[], more: Partial<CliOptions> = {}) => runCli(argv, { env, ...more });
  /** Runs a command with `--json` that must succeed, and returns its value. */
  const json = async (...argv: string[]) => {
    const { code, out, err } = await cli([...argv, "--json"]);
    expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
    return JSON.parse(out);
  };

  beforeAll(async () => {
    server = await startLiveServer();
    const client = new TestClient(server.url);
    await client.post("user/register", { username: "ada", password: "correct horse" });
    token = (await client.post("user/tokens", { name: "cli" })).body.secret;
    folder = temporaryFolder();
    photographs = await loadPhotographs(folder);
    env = { HOME: folder, LIMN_URL: server.url };
    const local = join(folder, "local");
    mkdirSync(join(local, "more"), { recursive: true });
    for (const [i, file] of photographs.files.entries())
      cpSync(file, join(local, i % 3 === 0 ? "more" : ".", basename(file)));
    writeFileSync(join(local, "notes.txt"), "no image");
  });
  afterAll(() => server.remove());

  test("refuses commands without a token, and stores no wrong token", async () => {
    const refused = await cli(["datasets", "list"]);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toMatch(/^Not logged in\. Run "login"/);
    const wrong = await cli(["login"], { secret: `limn_${"x".repeat(43)}` });
    expect(wrong.code).toBe(3);
    expect(wrong.err).toContain("does not accept the token");
    expect((await cli(["login"], { secret: "password" })).code).toBe(2);
    expect(existsSync(join(folder, ".config/limn/login.json"))).toBe(false);
  });

  test("stores a token in a file that only its owner can read", async () => {
    const { code, out } = await cli(["login"], { secret: token });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Logged in to .* as ada\.\n$/) });
    const file = join(folder, ".config/limn/login.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, ".config/limn"))).toEqual(["login.json"]);
    expect(await json("whoami")).toMatchObject({ username: "ada" });
    // Another server never receives the stored token.
    expect((await cli(["whoami", "--url", "http://127.0.0.1:9"])).code).toBe(3);
  });

  test("creates, lists and shows datasets", async () => {
    const made = await json("datasets", "create", "Harbour", "--categories", "boat, buoy");
    expect(made).toMatchObject({ name: "Harbour", owner: "ada" });
    expect((await cli(["datasets", "list"])).out).toMatch(/^ID +NAME +OWNER\n\d+ +Harbour +ada\n$/);
    const shown = (await cli(["datasets", "show", String(made.id)])).out;
    expect(shown).toContain("categories  boat, buoy");
    expect((await cli(["datasets", "create", "Harbour"])).err).toMatch(/^Creating Dataset: /);
    expect(await cli(["datasets", "show", "Nowhere"])).toMatchObject({ code: 1, out: "" });
  });

  test("continues an interrupted upload with the images that are missing", async () => {
    const total = photographs.images;
    const interruption = new AbortController();
    let bars = 0;
    const argv = ["upload", join(folder, "local"), "--dataset", "Harbour", "--concurrency", "2"];
    const stopped = await cli(argv, {
      signal: interruption.signal,
      isTerminal: true,
      onNote: (text) => {
        if (text.includes(` of ${total} images`) && ++bars === 5) interruption.abort();
      },
    });
    expect(stopped.code).toBe(130);
    const { counts } = await json(...argv);
    expect(counts.skipped).toBeGreaterThanOrEqual(5);
    expect(counts.skipped + counts.added + (counts.known ?? 0)).toBe(total);
    expect((await json(...argv)).counts).toEqual({ skipped: total });
    const images = await json("images", "list", "Harbour");
    const inMore = images.filter(({ path }: { path: string }) => path.startsWith("more/"));
    expect(inMore).toHaveLength(Math.ceil(total / 3));
  });

  test("reports files that the server refuses, and uploads the others", async () => {
    const local = join(folder, "bad");
    mkdirSync(local);
    writeFileSync(join(local, "broken.jpg"), "no image");
    cpSync(photographs.files[0] ?? "", join(local, "good.jpg"));
    const { code, out, err } = await cli(["upload", local, "--dataset", "Harbour", "--folder", "bad"]);
    expect({ code, out }).toEqual({ code: 1, out: "1 refused, 1 added\n" });
    expect(err).toContain("bad/broken.jpg: ");
  });

  test("imports a COCO file and exports the same annotations", async () => {
    const dry = await json("import", photographs.coco, "--dataset", "Harbour", "--dry-run");
    expect(dry.state).toBe("done");
    const { out } = await cli(["import", photographs.coco, "--dataset", "Harbour"]);
    expect(out).toMatch(/^Imported:\n/);
    const target = join(folder, "harbour.json");
    const exported = await json("export", "Harbour", "--output", target);
    expect(exported).toMatchObject({ file: target, bytes: statSync(target).size });
    const coco = JSON.parse(readFileSync(target, "utf8"));
    expect(coco.annotations).toHaveLength(photographs.annotations);
    expect(existsSync(`${target}.part`)).toBe(false);
  });

  test("passes the options of an export on, and replaces no file unless asked", async () => {
    const target = join(folder, "harbour.zip");
    const [category] = photographs.document.categories;
    const argv = [
      "export",
      "Harbour",
      "-o",
      target,
      "--format",
      "yolo-detection",
      "--categories",
      category?.name ?? "",
    ];
    expect((await cli([...argv, "--split", "80,10,10"])).code).toBe(0);
    expect(readFileSync(target).subarray(0, 2).toString()).toBe("PK");
    const again = await cli(argv);
    expect(again).toMatchObject({ code: 1, err: `${target} exists. Use --force to replace it.\n` });
    expect((await cli([...argv, "--force"])).code).toBe(0);
    expect((await cli(["export", "Harbour", "-o", target, "--format", "yolo"])).code).toBe(2);
  });

  test("waits for a task, and ends with the log of one that failed", async () => {
    const file = join(folder, "wrong.json");
    writeFileSync(file, '{"images": [], "annotations": [{"id": 1, "image_id": ');
    const failed = await cli(["import", file, "--dataset", "Harbour"]);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/Task \d+ \(.*\): failed\n(.*\n)*.*\[ERROR\]/);
    const tasks = await json("tasks", "list");
    const done = tasks.find(({ state }: { state: string }) => state === "done");
    expect((await json("tasks", "wait", String(done.id))).state).toBe("done");
    expect((await cli(["tasks", "wait", "999999"])).code).toBe(1);
  });

  test("shows help, and the usage of a command with wrong arguments", async () => {
    expect((await cli([])).out).toContain("upload FOLDER --dataset DATASET");
    expect((await cli(["export", "--help"])).out).toContain("--segmentation polygon|rle");
    expect(await cli(["upload", "x"])).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage: upload FOLDER/) });
    expect((await cli(["upload", "x", "--dataset", "y", "--wrong"])).code).toBe(2);
    expect((await cli(["fly"])).code).toBe(2);
    const asJson = await cli(["datasets", "show", "Nowhere", "--json"]);
    expect(JSON.parse(asJson.out)).toEqual({ error: { message: expect.stringContaining("Nowhere"), exit_code: 1 } });
  });
});
