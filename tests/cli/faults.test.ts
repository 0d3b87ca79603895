import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { version } from "../../package.json";
import { temporaryFolder } from "../support/folders";
import { freePort } from "../support/freePort";
import { runCli } from "./runCli";

const TOKEN = `limn_${"a".repeat(43)}`;

type Answer = (response: ServerResponse, headers: Record<string, unknown>) => void;

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(value));
  };

describe("the command line with faulty servers", () => {
  const folder = temporaryFolder();
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** Starts a server that answers paths below /api/ as given, with the command line's own version unless given. */
  async function start(answers: Record<string, Answer>): Promise<Record<string, string>> {
    const all: Record<string, Answer> = { "info/": json({ version }), ...answers };
    server = createServer((request, response) => {
      const path = new URL(request.url ?? "", "http://x").pathname.replace("/api/", "");
      (all[path] ?? json({ message: "absent" }, 404))(response, request.headers);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return { HOME: folder, LIMN_TOKEN: TOKEN, LIMN_URL: `http://127.0.0.1:${port}` };
  }

  test("says that no server responds, after several tries", async () => {
    const env = { HOME: folder, LIMN_TOKEN: TOKEN, LIMN_URL: `http://127.0.0.1:${await freePort()}` };
    const tries: string[] = [];
    const { code, err } = await runCli(["datasets", "list"], { env, onNote: (text) => tries.push(text) });
    expect(code).toBe(4);
    expect(err).toContain(`No server responds at ${env.LIMN_URL}.`);
    expect(tries.filter((text) => text.startsWith("no response; trying again"))).toHaveLength(5);
  });

  test("tells servers of other versions and other programs from its own", async () => {
    const other = await runCli(["datasets", "list"], { env: await start({ "info/": json({ version: "v9.1.0" }) }) });
    expect(other).toMatchObject({ code: 5, err: expect.stringContaining("runs Limn v9.1.0") });
    server?.close();
    const page = await runCli(["datasets", "list"], {
      env: await start({ "info/": (response) => response.end("<p>") }),
    });
    expect(page).toMatchObject({ code: 5, err: expect.stringContaining("is not a Limn server") });
  });

  test("repeats a command with the same id after the pause that the server asks for", async () => {
    const ids: unknown[] = [];
    const env = await start({
      "dataset/": (response, headers) => {
        ids.push(headers["x-limn-command"]);
        const isFirst = ids.length === 1;
        json(isFirst ? { message: "busy" } : { id: 3, name: "x" }, isFirst ? 503 : 200, { "Retry-After": "0" })(
          response,
          {},
        );
      },
    });
    const { code, err } = await runCli(["datasets", "create", "x"], { env });
    expect({ code, err }).toEqual({ code: 0, err: "status 503; trying again in 1 s\n" });
    expect(ids).toEqual([expect.stringMatching(/^[\w-]{36}$/), ids[0]]);
  });

  test("leaves no file when an export is interrupted by Ctrl+C", async () => {
    let started = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const env = await start({
      "dataset/": json([{ id: 1, name: "Harbour" }]),
      "dataset/1/export": json({ id: 7, name: "Exporting" }),
      "tasks/": json([{ id: 7, name: "Exporting", state: "done", progress: 100, result: { export_id: 5 } }]),
      "export/5/download": (response) => {
        response.writeHead(200, { "Content-Length": "1000000" });
        response.write("x".repeat(100_000), started);
      },
    });
    const child = spawn(
      process.execPath,
      ["dist/cli/main.js", "export", "Harbour", "--output", join(folder, "harbour.json")],
      { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] },
    );
    await running;
    await expect.poll(() => readdirSync(folder)).toContain("harbour.json.part");
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });
});
