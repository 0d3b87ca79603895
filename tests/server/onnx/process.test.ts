import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type Disc, drawDiscs, extremesOf } from "../../support/discs";
import { temporaryFolder } from "../../support/folders";
import { freePort } from "../../support/freePort";
import { brightness, INPUT, slowOnWhite } from "../../support/networks";
import { NODE_FLAGS } from "../../support/nodeFlags";
import { TestClient, type TestResponse } from "../../support/testClient";

/** DEXTR in the real server, as a separate process. */

const DISC: Disc = { x: 100, y: 80, radius: 40 };
const ROOT = resolve(import.meta.dirname, "../../..");

const folder = temporaryFolder();
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

interface Server {
  child: ChildProcess;
  client: TestClient;
  output(): string;
  ended: Promise<number | string>;
}

/** Starts the server whose code is in `root`. `client` sends requests to it once `ready` has resolved. */
async function start(root: string, env: Record<string, string> = {}): Promise<Server> {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...NODE_FLAGS, "dist/server/main.js"], {
    cwd: root,
    env: { PATH, HOME, PORT: String(port), DATA_DIR: join(folder, `data${port}`), BACKUP_MINUTES: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | string>((done) =>
    child.once("close", (code, signal) => done(code ?? signal ?? "")),
  );
  started.push(child);
  return { child, ended, output: () => output, client: new TestClient(`http://127.0.0.1:${port}/`) };
}

async function ready({ client, output, child }: Server): Promise<void> {
  while ((child.exitCode ?? child.signalCode) === null) {
    const answer = await client.get("health").catch(() => undefined);
    if (answer?.status === 200) return;
    await wait(100);
  }
  throw new Error(`The server did not start:\n${output()}`);
}

async function addDisc(client: TestClient): Promise<number> {
  await client.post("user/register", { username: "ann", password: "secret" });
  const { body: dataset } = await client.post("dataset/", { name: "discs" });
  const form = new FormData();
  form.set("dataset_id", String(dataset.id));
  const png = await drawDiscs(200, 160, [DISC]).png().toBuffer();
  form.set("image", new Blob([new Uint8Array(png)]), "disc.png");
  return (await client.request("POST", "image/", { body: form })).body;
}

/** True on systems that list the libraries which a process has loaded. */
const LISTS_LIBRARIES = existsSync("/proc/self/maps");

const usesRuntime = ({ child }: Server) => readFileSync(`/proc/${child.pid}/maps`, "utf8").includes("onnxruntime");

const ask = (client: TestClient, id: number, more: object = {}) =>
  client.post(`model/dextr/${id}`, { points: extremesOf(DISC), ...more });

/** Time that a server that is asked to stop gives running calls. */
const GRACE_MS = 10_000;

/** Resolves to true as soon as a call is answered with 409, and to false if all are answered with 200. */
async function isAnyRefused(answers: readonly Promise<TestResponse>[]): Promise<boolean> {
  const refusals = answers.map(async (answer) => {
    if ((await answer).status !== 409) throw new Error("The call was not refused.");
  });
  return Promise.any(refusals).then(
    () => true,
    () => false,
  );
}

describe("the server process", () => {
  test("loads nothing of the model's runtime before the first call, and exits with 0 after the call", async () => {
    const server = await start(ROOT);
    await ready(server);
    const id = await addDisc(server.client);
    await server.client.get("info/");
    if (!LISTS_LIBRARIES)
      console.warn("NOT CHECKED: this system does not list the libraries that a process has loaded.");
    if (LISTS_LIBRARIES) expect(usesRuntime(server)).toBe(false);
    expect((await ask(server.client, id)).status).toBe(200);
    if (LISTS_LIBRARIES) expect(usesRuntime(server)).toBe(true);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("exits with 0 while the model runs", async () => {
    const file = join(folder, "slow.onnx");
    writeFileSync(file, slowOnWhite(300));
    const server = await start(ROOT, { DEXTR_FILE: file });
    await ready(server);
    const id = await addDisc(server.client);
    const points = extremesOf({ ...DISC, radius: 15 });
    // The second call waits behind the first, and the third replaces it: the refusal shows that the model is in use. On
    // a busy machine they may arrive one after the other.
    const call = () => ask(server.client, id, { points, padding: 0 });
    let answers = [call(), call(), call()];
    while (!(await isAnyRefused(answers))) answers = [call(), call(), call()];
    server.child.kill("SIGTERM");
    const stopped = performance.now();
    const statuses = (await Promise.allSettled(answers)).map((each) => ("value" in each ? each.value.status : "cut"));
    expect(await server.ended, server.output()).toBe(0);
    // Calls that run longer than the time that the server gives them are cut.
    if (performance.now() - stopped < GRACE_MS) expect(statuses.sort()).toEqual([200, 200, 409]);
    else expect([200, 409, "cut"]).toEqual(expect.arrayContaining(statuses));
  });

  test("exits with 1 and the reason for an invalid DEXTR_FILE", async () => {
    const text = join(folder, "text.onnx");
    writeFileSync(text, "no network");
    const other = join(folder, "other.onnx");
    writeFileSync(other, brightness({ input: { ...INPUT, shape: ["n", 3, "h", "w"] } }));
    for (const [file, reason] of [
      [text, /^DEXTR_FILE cannot be used\. It cannot be loaded \(.*\)\.$/],
      [
        other,
        /^DEXTR_FILE cannot be used\. Its input has the shape n × 3 × h × w in place of n × 5 × height × width\.$/,
      ],
    ] as const) {
      const server = await start(ROOT, { DEXTR_FILE: file });
      expect(await server.ended).toBe(1);
      expect(server.output().trim()).toMatch(reason);
    }
  });

  test("a server without onnxruntime-node reports that on request, does everything else, and does not use DEXTR_FILE", async () => {
    const root = join(folder, "without");
    for (const part of ["dist/server", "dist/parts", "model", "package.json"])
      cpSync(join(ROOT, part), join(root, part), { recursive: true });
    linkPackages(join(ROOT, "node_modules"), join(root, "node_modules"), "onnxruntime-node");
    const file = join(folder, "brightness.onnx");
    writeFileSync(file, brightness());
    const server = await start(root, { DEXTR_FILE: file });
    await ready(server);
    expect(server.output()).toContain("DEXTR_FILE is not used: the package onnxruntime-node");
    const id = await addDisc(server.client);
    for (let i = 0; i < 2; i++) {
      const { status, headers, body } = await ask(server.client, id);
      expect([status, headers.get("retry-after")]).toEqual([503, null]);
      expect(body.message).toContain("the package onnxruntime-node is not installed");
    }
    const { dextr } = (await server.client.get("info/")).body;
    const shipped = readFileSync(join(ROOT, "model/dextr.onnx"));
    const model = await server.client.fetch("GET", dextr.path);
    expect(Buffer.from(await model.arrayBuffer()).equals(shipped)).toBe(true);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
});

/** Links a folder of packages to another one, except for one package. */
function linkPackages(from: string, to: string, without: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (name !== without) symlinkSync(join(from, name), join(to, name), "junction");
}
