import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually";
import { temporaryFolder } from "../support/folders";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { NODE_FLAGS } from "../support/nodeFlags";
import { TestClient } from "../support/testClient";

describe("a server that cannot start", () => {
  const folder = temporaryFolder();

  test("reports the reason in one line and exits with 1", async () => {
    writeFileSync(join(folder, "a file"), "");
    const cases: [Record<string, string>, RegExp][] = [
      [{ PORT: "no" }, /^PORT must be a whole number/],
      [{ LOGIN_DISABLED: "maybe" }, /^LOGIN_DISABLED must be/],
      [{ DATA_DIR: join(folder, "a file") }, /^The folder .* cannot be written to \(E\w+\)\.$/],
      [{ TLS_CERT: join(folder, "a file"), TLS_KEY: join(folder, "a file") }, /^TLS_CERT and TLS_KEY cannot be used/],
      [{ DATABASE_URL: "postgres://nobody@127.0.0.1:1/x" }, /^The database at DATABASE_URL does not respond/],
    ];
    for (const [env, line] of cases) {
      const { code, errors } = await run({ DATA_DIR: join(folder, "data"), PORT: "0", ...env });
      expect(errors.trim(), errors).toMatch(line);
      expect(errors.trim().split("\n")).toHaveLength(1);
      expect(code).toBe(1);
    }
  });

  test("names the port that is in use, and releases the data folder", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const PORT = String((other.address() as AddressInfo).port);
    const { code, errors } = await run({ DATA_DIR: join(folder, "free"), PORT });
    expect(errors.trim()).toMatch(new RegExp(`^Port ${PORT} is in use`));
    expect(code).toBe(1);
    other.close();
  });
});

describe("a running server", () => {
  let server: LiveServer;
  let client: TestClient;
  beforeAll(async () => {
    server = await startLiveServer({ BASE_PATH: "limn" }, { isFirstStart: true });
    client = new TestClient(server.url);
    await client.post("user/register", { username: "ann", password: "secret" });
  });
  afterAll(() => server.remove());

  test("prints its address and its data folder", () => {
    expect(server.output()).toContain("is ready at http://localhost:");
    expect(server.output()).toContain(server.dataDir);
    expect(server.output()).toContain("power cut");
  });

  test("keeps acknowledged changes and sessions through kill -9", async () => {
    const made = await client.post("dataset/", { name: "before the kill", categories: ["cat"] });
    mkdirSync(join(server.dataDir, "tmp", "upload-cut-off"), { recursive: true });
    await server.kill();
    await server.start();
    expect(readdirSync(join(server.dataDir, "tmp"))).toEqual([]);
    const { body } = await client.get("dataset/data");
    expect(body.datasets).toMatchObject([{ id: made.body.id, name: "before the kill" }]);
  });

  test("refuses a second server on its folder", async () => {
    const { code, errors } = await run({ DATA_DIR: server.dataDir, PORT: "0" });
    expect(errors).toContain("in use by another Limn process");
    expect(code).toBe(1);
  });

  test("finishes requests in flight after SIGTERM, accepts no new ones, and exits with 0", async () => {
    const { port } = new URL(server.url);
    const body = JSON.stringify({ username: "ann", password: "secret" });
    const slow = connect(Number(port), "127.0.0.1");
    let answer = "";
    slow.on("data", (chunk) => {
      answer += chunk;
    });
    slow.write(
      `POST /limn/api/user/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await eventually(() => expect(answer).toContain("HTTP/1.1 100"));
    const ended = server.stop();
    await expect
      .poll(() =>
        fetch(`${server.url}api/health`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false);
    slow.write(body.slice(5));
    expect(await ended).toBe(0);
    expect(answer).toContain("HTTP/1.1 200");
    await server.start();
    expect((await client.get("dataset/data")).body.datasets).toHaveLength(1);
  });

  test("is not ready first, still serves for DRAIN_SECONDS, and then stops listening", async () => {
    await server.stop();
    await server.start({ env: { DRAIN_SECONDS: "3" } });
    const ended = server.stop();
    const ready = () =>
      fetch(`${server.url}api/health/ready`).then(
        ({ status }) => status,
        () => "closed",
      );
    await expect.poll(ready).toBe(503);
    const served = await fetch(`${server.url}api/info/`);
    expect(served.status).toBe(200);
    expect(served.headers.get("Connection")).toBe("close");
    await expect.poll(ready).toBe("closed");
    expect(await ended).toBe(0);
    await server.start();
  });

  test("acknowledges nothing after its data folder was deleted, and exits with 1 and the reason in one line", async () => {
    const save = (n: number) =>
      client.post("dataset/", { name: `set ${n}` }).then(
        ({ status }) => status,
        () => 0,
      );
    expect(await save(0)).toBe(200);
    rmSync(server.dataDir, { recursive: true });
    const statuses = [];
    for (let n = 1; n < 5; n++) statuses.push(await save(n));
    expect(statuses.filter((status) => status === 200)).toEqual([]);
    expect(await server.ended()).toBe(1);
    expect(server.output()).toMatch(/The data folder .* was deleted or moved away while Limn was running/);
  });
});

describe("TLS", () => {
  let child: ReturnType<typeof spawnServer> | undefined;
  afterAll(() => void child?.kill("SIGKILL"));

  test("the server uses TLS with the certificate, and the cookie is for TLS only", async () => {
    const folder = temporaryFolder();
    const tls = (name: string) => resolve("tests/support/tls", name);
    child = spawnServer({ DATA_DIR: folder, PORT: "0", TLS_CERT: tls("cert.pem"), TLS_KEY: tls("key.pem") });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await expect.poll(() => output).toContain("https://localhost:");
    const [, url = ""] = /(https:\S+)/.exec(output) ?? [];
    const cookie = await new Promise((done, fail) => {
      const call = request(
        `${url.replace("localhost", "127.0.0.1")}api/user/register`,
        { method: "POST", rejectUnauthorized: false, headers: { "Content-Type": "application/json" } },
        (answer) => done(String(answer.headers["set-cookie"])),
      );
      call.on("error", fail);
      call.end(JSON.stringify({ username: "ann", password: "secret" }));
    });
    expect(cookie).toMatch(/; secure;/);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

function spawnServer(env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  return spawn(process.execPath, [...NODE_FLAGS, "dist/server/main.js"], {
    env: { PATH, HOME, LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function run(env: Record<string, string>): Promise<{ code: number | null; errors: string }> {
  const child = spawnServer(env);
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, errors };
}
