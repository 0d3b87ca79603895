import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./freePort";
import { copyTemplate, dropServerDatabase } from "./migratedPostgres";
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
  /** True gives the server the embedded database also in browser tests. */
  isEmbedded?: boolean;
}

/**
 * Starts a server on the embedded database. In browser tests it uses a new database of the PostgreSQL server that
 * `browserSetup.ts` has started, where one is installed: starting takes a third of the CPU time, a call a quarter.
 *
 * With LIMN_SLOW_SEED a slow network is placed between this server and the pages (see `slowNetwork.ts`), with
 * LIMN_SLOW_FAILS one on which the first call of each kind fails. With LIMN_STATE_DIR `remove` first records what is
 * stored (see `storedState.ts`).
 */
export async function startLiveServer(
  env: Record<string, string> = {},
  { isFirstStart = false, isEmbedded = false }: LiveServerOptions = {},
): Promise<LiveServer> {
  const port = await freePort();
  const slowSeed = env.TLS_CERT ? undefined : process.env.LIMN_SLOW_SEED;
  const pagePort = slowSeed ? await freePort() : port;
  const dataDir = env.DATA_DIR ?? newFolder("data");
  const postgres =
    isFirstStart || isEmbedded || env.DATABASE_URL || env.DATA_DIR ? undefined : process.env.LIMN_POSTGRES;
  const ownDatabase = postgres && (await copyTemplate(postgres));
  const databaseUrl = ownDatabase ?? env.DATABASE_URL;
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    BACKUP_MINUTES: "0",
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...env,
  };
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

  if (!isFirstStart && !databaseUrl && !env.DATA_DIR) await copyInstallation(dataDir);
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
      const state = process.env.LIMN_STATE_DIR;
      if (state && !env.DATABASE_URL) await recordState(state, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
      if (ownDatabase) await dropServerDatabase(ownDatabase);
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
  for (let tries = 0; tries < 10_000; tries++) {
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
