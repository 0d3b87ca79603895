import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { type Haproxy, startHaproxy } from "../haproxy";
import { type LiveServer, startLiveServer } from "../liveServer";
import { NODE_FLAGS } from "../nodeFlags";
import { newFolder } from "../runFolder";
import { S3_KEY, type TestBucket } from "../startS3";

/** Two servers and a worker, each with a data folder of its own, behind HAProxy. */
export interface Cluster {
  /** URL of Limn through HAProxy, with a trailing slash. */
  url: string;
  env: Record<string, string>;
  servers: readonly [LiveServer, LiveServer];
  worker: Worker;
  proxy: Haproxy;
  remove(): Promise<void>;
}

/** A process that only runs tasks. */
export interface Worker {
  readonly pid: number;
  readonly dataDir: string;
  /** Ends the worker at once, like `kill -9`. */
  kill(): Promise<void>;
  /** Waits until the worker exits by itself. Returns its exit code, or the name of the signal. */
  ended(): Promise<number | string>;
  /** Starts the worker again; `more` are settings for this start only. */
  start(more?: Record<string, string>): Promise<void>;
  remove(): Promise<void>;
}

interface Parts {
  haproxy: string;
  databaseUrl: string;
  bucket: TestBucket;
}

/** Settings that all processes share, as in docs/operations.md. */
const sharedSettings = (databaseUrl: string, bucket: TestBucket) => ({
  DATABASE_URL: databaseUrl,
  ...bucket,
  ...S3_KEY,
  TRUST_PROXY: "true",
  DRAIN_SECONDS: "5",
});

export async function startCluster({ haproxy, databaseUrl, bucket }: Parts): Promise<Cluster> {
  const env = sharedSettings(databaseUrl, bucket);
  // Tasks are left to the worker.
  const serverEnv = { ...env, TASK_CONCURRENCY: "0" };
  const starting = [startLiveServer(serverEnv), startLiveServer(serverEnv), startWorker(env)] as const;
  const [one, two, worker] = await Promise.all(starting);
  const servers = [one, two] as const;
  const proxy = await startHaproxy(haproxy, [servers[0].url, servers[1].url]);
  while ((await proxy.serversUp()).length < servers.length) await new Promise((later) => setTimeout(later, 100));
  return {
    url: proxy.url,
    env,
    servers,
    worker,
    proxy,
    async remove() {
      await proxy.stop();
      await worker.remove();
      for (const server of servers) await server.remove();
    },
  };
}

export async function startWorker(env: Record<string, string>): Promise<Worker> {
  const dataDir = newFolder("worker");
  let child: ChildProcess;
  let end: Promise<number | string>;
  const { PATH, HOME, TMPDIR } = process.env;
  const start = async (more: Record<string, string> = {}) => {
    child = spawn(process.execPath, [...NODE_FLAGS, "dist/server/worker.js"], {
      env: { PATH, HOME, TMPDIR, LOG_LEVEL: "warn", DATA_DIR: dataDir, ...env, ...more },
      stdio: ["ignore", "pipe", "inherit"],
    });
    end = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal ?? "")));
    const isWorking = new Promise((resolve) =>
      child.stdout?.on("data", (text) => String(text).includes("Working on") && resolve(true)),
    );
    // With a crash in its settings it may end before that.
    await Promise.race([isWorking, end]);
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await end;
  };
  await start();
  return {
    get pid() {
      return child.pid ?? 0;
    },
    dataDir,
    kill,
    ended: () => end,
    start,
    async remove() {
      await kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
