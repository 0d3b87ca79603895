import { spawn } from "node:child_process";
import { accessSync, constants, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./freePort";
import { newFolder } from "./runFolder";

/** HAProxy with the configuration in deploy/, in front of two servers. */
export interface Haproxy {
  /** URL of Limn through HAProxy, with a trailing slash. */
  url: string;
  /** Returns the servers that HAProxy sends requests to. */
  serversUp(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Returns the path of the program; undefined if it is not installed. */
export const haproxyProgram = (): string | undefined =>
  [process.env.HAPROXY_BIN, "/usr/sbin/haproxy", "/usr/local/sbin/haproxy", "/opt/homebrew/bin/haproxy"].find(
    (path) => path && isExecutable(path),
  );

/** `servers`: URLs of the two servers. */
export async function startHaproxy(program: string, servers: readonly [string, string]): Promise<Haproxy> {
  const [port, statsPort] = [await freePort(), await freePort()];
  const [LIMN_1, LIMN_2] = servers.map((url) => new URL(url).host);
  const extra = join(newFolder("haproxy"), "stats.cfg");
  const stats = ["listen stats", "  mode http", `  bind 127.0.0.1:${statsPort}`, "  stats enable", "  stats uri /"];
  writeFileSync(extra, `${stats.join("\n")}\n`);
  const child = spawn(program, ["-db", "-f", "deploy/haproxy/haproxy.cfg", "-f", extra], {
    env: { LIMN_BIND: `127.0.0.1:${port}`, LIMN_1, LIMN_2 },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url: `http://127.0.0.1:${port}/`,
    async serversUp() {
      const answer = await fetch(`http://127.0.0.1:${statsPort}/;csv`).catch(() => undefined);
      const rows = (await answer?.text())?.split("\n").map((line) => line.split(",")) ?? [];
      const status = rows[0]?.indexOf("status") ?? -1;
      return rows
        .filter((row) => row[0] === "servers" && row[status]?.startsWith("UP"))
        .map((row) => row[1] ?? "")
        .filter((name) => name !== "BACKEND");
    },
    async stop() {
      process.off("exit", end);
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
