import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/folders";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { loadPhotographs, type Photographs } from "../support/photographs";
import { TestClient } from "../support/testClient";

/**
 * The Python client's own tests, and the examples of its README unchanged, against a server started like `npm start`.
 */

const run = promisify(execFile);
const CLIENT = new URL("../../clients/python/", import.meta.url).pathname;

const succeeds = (program: string, ...args: string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );
const pythons = ["python3", "/usr/bin/python3", "python"];
const able = await Promise.all(pythons.map((python) => succeeds(python, "-c", "import requests")));
const python = pythons.find((_, i) => able[i]) ?? "";
const hasNumpy = python !== "" && (await succeeds(python, "-c", "import numpy"));
if (!python) console.warn("SKIPPED: the tests of the Python client need Python with requests.");
else if (!hasNumpy) console.warn("SKIPPED: the examples of the Python client need numpy.");

describe.skipIf(!python)("the Python client", () => {
  let server: LiveServer;
  let folder: string;
  let photographs: Photographs;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await startLiveServer();
    const client = new TestClient(server.url);
    await client.post("user/register", { username: "ada", password: "correct horse" });
    const token = (await client.post("user/tokens", { name: "python" })).body.secret;
    folder = temporaryFolder();
    photographs = await loadPhotographs(folder);
    env = {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      PYTHONPATH: CLIENT,
      PYTHONDONTWRITEBYTECODE: "1",
      LIMN_URL: server.url,
      LIMN_TOKEN: token,
      PHOTOGRAPHS: dirname(photographs.files[0] ?? ""),
      COCO: photographs.coco,
    };
  });
  afterAll(() => server?.remove());

  test("passes its own tests", async () => {
    const args = ["-W", "error::DeprecationWarning", "-m", "unittest", "discover", "-s", "tests", "-t", "."];
    const { stderr } = await run(python, args, { cwd: CLIENT, env }).catch((error) => {
      throw new Error(error.stderr);
    });
    expect(stderr).toMatch(/\nRan 14 tests in (?:.*\n)*OK/);
  });

  test.skipIf(!hasNumpy)("runs the examples of its README", async () => {
    const readme = readFileSync(join(CLIENT, "README.md"), "utf8");
    const script = [...readme.matchAll(/^```python\n((?:.*\n)*?)```/gm)].map(([, block]) => block).join("\n");
    const work = join(folder, "readme");
    mkdirSync(join(work, "photographs"), { recursive: true });
    for (const file of photographs.files.slice(0, 4)) cpSync(file, join(work, "photographs", basename(file)));
    const { stdout } = await run(python, ["-c", script], { cwd: work, env }).catch((error) => {
      throw new Error(error.stderr);
    });
    expect(stdout).toMatch(/^ada\n/);
    expect(stdout).toContain("4 of 4\n4 added\n");
    expect(stdout).toContain("4 images, 5 annotations");
    expect(stdout).toMatch(/^409 /m);
  });
});
