import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./freePort";
import { unprivilegedUser, waitForPostgres } from "./postgres";
import { newFolder } from "./runFolder";

/** A PostgreSQL server with the settings of a fresh installation (fsync is on), which may crash and be restarted. */
export interface CrashablePostgres {
  url: string;
  /** Kills the postmaster like the system does when memory runs out. Its children exit by themselves. */
  kill(): Promise<void>;
  /** Starts the server again on the same data, as a service manager does. Waits until it accepts connections. */
  start(): Promise<void>;
  isRunning(): boolean;
  remove(): Promise<void>;
}

/** `bin` is the folder of the programs. `env` is added to the server's environment. */
export async function startCrashablePostgres(bin: string, env: Record<string, string>): Promise<CrashablePostgres> {
  const folder = newFolder("crash");
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const initdb = ["-D", data, "-U", "limn", "-A", "trust", "-E", "UTF8", "--no-sync"];
  execFileSync(join(bin, "initdb"), initdb, { ...user, cwd: folder, stdio: "ignore" });
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  const url = `postgres://limn@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals) => {
    if (!child || !isRunning()) return;
    const ended = new Promise((resolve) => child?.once("exit", resolve));
    child.kill(signal);
    await ended;
  };
  const launch = () => {
    child = spawn(join(bin, "postgres"), args, {
      ...user,
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
  };
  /** A new postmaster refuses to start while children of a killed one live. */
  const start = async () => {
    for (;;) {
      if (!isRunning()) launch();
      const ready = await Promise.race([waitForPostgres(url).then(() => true), wait(500, false)]).catch(() => false);
      if (ready) return;
    }
  };
  await start();
  return {
    url,
    kill: () => end("SIGKILL"),
    start,
    isRunning,
    async remove() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
