import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { copyNewInstallation } from "./newInstallation";
import { startSlowNetwork } from "./slowNetwork";
import { recordState } from "./storedState";

/** The real server as a process of its own, as `npm start` runs it, on a free port with a data folder of its own. */
export interface LiveServer {
  /** With BASE_PATH and a slash at the end. */
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** What it has printed so far. */
  output(): string;
  /** Ends at once, as `kill -9` does. */
  kill(): Promise<void>;
  /** Waits until it ends by itself; returns the exit code. */
  ended(): Promise<number | null>;
  /** Asks to end, as a service manager does; answers the exit code. */
  stop(): Promise<number | null>;
  /** Starts again on the same port and folder. */
  start(other?: OtherStart): Promise<void>;
  /** Ends it and removes the folder. */
  remove(): Promise<void>;
}

export interface OtherStart {
  /** Folder of another version's code, built. */
  root?: string;
  /** Settings for this start alone. */
  env?: Record<string, string>;
}

export interface LiveServerOptions {
  /** The server makes its embedded database itself, where otherwise it finds a prepared one, a new installation's. */
  isFirstStart?: boolean;
}

/**
 * With LIMN_SLOW_SEED a slow network lies between this server and the pages (see `slowNetwork.ts`), with LIMN_SLOW_FAILS
 * one on which the first call of each kind fails. With LIMN_STATE_DIR `remove` first records what is stored (see `storedState.ts`).
 */
export async function startLiveServer(
  env: Record<string, string> = {},
  { isFirstStart = false }: LiveServerOptions = {},
): Promise<LiveServer> {
  const port = await freePort();
  const slowSeed = env.TLS_CERT ? undefined : process.env.LIMN_SLOW_SEED;
  const pagePort = slowSeed ? await freePort() : port;
  const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), "limn-data-"));
  const settings = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn", BACKUP_MINUTES: "0", ...env };
  const basePath = `/${(env.BASE_PATH ?? "/").split("/").filter(Boolean).join("/")}/`.replace("//", "/");
  const serverUrl = `http://127.0.0.1:${port}${basePath}`;
  const url = `http://127.0.0.1:${pagePort}${basePath}`;
  let child: ChildProcess | undefined;
  let printed = "";

  async function start({ root = process.cwd(), env: more = {} }: OtherStart = {}) {
    child = spawn(process.execPath, ["--enable-source-maps", "dist/server/main.js"], {
      cwd: root,
      env: { ...cleanEnv(), ...settings, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += String(chunk)));
    await ready(serverUrl, child, () => printed);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return running?.exitCode ?? null;
    running.kill(signal);
    return ended();
  }

  function ended(): Promise<number | null> {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null)
      return Promise.resolve(running?.exitCode ?? null);
    return new Promise((resolve) => running.once("exit", resolve));
  }

  if (!isFirstStart && !env.DATABASE_URL && !env.DATA_DIR) await copyNewInstallation(dataDir, runOnce);
  await start();
  const slow =
    slowSeed &&
    (await startSlowNetwork({
      port: pagePort,
      serverPort: port,
      seed: Number(slowSeed),
      fails: process.env.LIMN_SLOW_FAILS === "1",
    }));
  return {
    url,
    dataDir,
    get pid() {
      return child?.pid ?? 0;
    },
    output: () => printed,
    kill: async () => void (await end("SIGKILL")),
    ended,
    stop: () => end("SIGTERM"),
    start,
    remove: async () => {
      await end("SIGKILL");
      if (slow) await slow.close();
      if (process.env.LIMN_STATE_DIR && !env.DATABASE_URL) await recordState(process.env.LIMN_STATE_DIR, dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function runOnce(dataDir: string): Promise<void> {
  const server = await startLiveServer({ DATA_DIR: dataDir });
  await server.stop();
}

async function ready(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`The server ended with ${end}:\n${printed()}`);
    const answer = await fetch(`${url}api/health`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(50);
  }
  throw new Error(`The server did not come up:\n${printed()}`);
}

/** The environment of the tests without settings of Limn that somebody may have exported. */
function cleanEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(address && typeof address === "object" ? address.port : 0));
    });
  });
}
