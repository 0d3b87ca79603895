import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./freePort";
import { copyNewInstallation } from "./newInstallation";
import { NODE_FLAGS } from "./nodeFlags";
import { newFolder } from "./runFolder";
import { startSlowNetwork } from "./slowNetwork";
import { recordState } from "./storedState";

/** The real server as a separate process, started like `npm start`, on a free port with a new data folder. */
export interface LiveServer {
  /** URL with BASE_PATH and a trailing slash. */
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Returns the server's output so far. */
  output(): string;
  /** Ends the server at once, like `kill -9`. */
  kill(): Promise<void>;
  /** Waits until the server exits by itself. Returns its exit code. */
  ended(): Promise<number | null>;
  /** Asks the server to exit, as a service manager does. Returns its exit code. */
  stop(): Promise<number | null>;
  /** Starts the server again on the same port and folder. */
  start(other?: OtherStart): Promise<void>;
  /** Stops the server and removes its data folder. */
  remove(): Promise<void>;
}

export interface OtherStart {
  /** Folder with the built code of another version. */
  root?: string;
  /** Settings for this start only. */
  env?: Record<string, string>;
}

export interface LiveServerOptions {
  /** True lets the server create its embedded database itself. By default it finds a prepared new installation. */
  isFirstStart?: boolean;
}

/**
 * With LIMN_SLOW_SEED a slow network is placed between this server and the pages (see `slowNetwork.ts`), with
 * LIMN_SLOW_FAILS one on which the first call of each kind fails. With LIMN_STATE_DIR `remove` first records what is
 * stored (see `storedState.ts`).
 */
export async function startLiveServer(
  env: Record<string, string> = {},
  { isFirstStart = false }: LiveServerOptions = {},
): Promise<LiveServer> {
  const port = await freePort();
  const slowSeed = env.TLS_CERT ? undefined : process.env.LIMN_SLOW_SEED;
  const pagePort = slowSeed ? await freePort() : port;
  const dataDir = env.DATA_DIR ?? newFolder("data");
  const settings = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn", BACKUP_MINUTES: "0", ...env };
  const basePath = `/${(env.BASE_PATH ?? "/").split("/").filter(Boolean).join("/")}/`.replace("//", "/");
  const serverUrl = `http://127.0.0.1:${port}${basePath}`;
  const url = `http://127.0.0.1:${pagePort}${basePath}`;
  let child: ChildProcess | undefined;
  let printed = "";

  async function start({ root = process.cwd(), env: more = {} }: OtherStart = {}) {
    child = spawn(process.execPath, [...NODE_FLAGS, "dist/server/main.js"], {
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

  if (!isFirstStart && !env.DATABASE_URL && !env.DATA_DIR) await copyInstallation(dataDir);
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

/** Fills a data folder with the result of a server's first start. */
export function copyInstallation(dataDir: string): Promise<void> {
  return copyNewInstallation(dataDir, runOnce);
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
  throw new Error(`The server did not start:\n${printed()}`);
}

/** Returns the environment of the tests without settings of Limn exported in the shell. */
function cleanEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot };
}
