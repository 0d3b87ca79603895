import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { makeApp } from "./app";
import type { Env } from "./base/env";
import { log } from "./base/log";
import { startBackups } from "./db/backup/backups";
import { readInstallation } from "./db/installation";
import { inBackground } from "./db/lanes";
import { currentVersion } from "./db/migrate";
import { type Database, openDatabase } from "./db/open/database";
import { runnerOfUpkeep } from "./db/open/runAlone";
import { vacuumRegularly } from "./db/vacuum";
import { anonymousUser } from "./features/access/identity";
import { clearClosedAccounts } from "./features/accounts/clearAccount";
import { pruneHistoryRegularly } from "./features/edits/pruneHistory";
import { Readiness } from "./features/health/readiness";
import { removeLeftoversRegularly } from "./features/imports/leftovers";
import { tidyTransfers } from "./features/imports/tidyTransfers";
import { metricsIfOn } from "./features/metrics/metricsIfOn";
import { pruneScenesRegularly } from "./features/sentScenes/sentScenes";
import type { Services } from "./features/services";
import { refreshStatisticsRegularly } from "./features/statistics/refreshStatistics";
import { sweepTrash, sweepTrashRegularly } from "./features/trash/sweepTrash";
import { startDeliverer } from "./features/webhooks/deliver/deliverer";
import { type Files, makeFiles } from "./files/files";
import { requireWritable } from "./files/paths/requireWritable";
import { closeWebServer, endConnectionsSoon, listen, makeWebServer } from "./listen";
import type { Live } from "./live/live";
import type { Dextr } from "./onnx/dextr";
import { openDextr } from "./onnx/openDextr";
import { startRunner } from "./queue/runner";
import { openSockets } from "./sockets/openSockets";
import { taskKinds } from "./tasks";

/** A running installation. */
export interface Installation {
  /** Address for browsers on this machine. */
  url: string;
  /** True if there was no embedded database and an empty one was created. */
  isNew: boolean;
  /**
   * Turns readiness off and requeues tasks, waits for DRAIN_SECONDS, ends requests and sockets within `graceMs`
   * milliseconds, then backs up an embedded database and closes the database.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Opens everything from the bottom up; `signal` ends a wait for the data folder. Throws ConfigurationError for problems
 * that an operator must fix, after closing everything again.
 */
export async function serve(env: Env, signal?: AbortSignal): Promise<Installation> {
  const server = makeWebServer(env);
  requireWritable(env.DATA_DIR);
  const files = makeFiles(env);
  await files.check();
  const dextr = await openDextr(env);
  try {
    const database = await openDatabase(env, signal ? { signal } : {});
    return await open(env, { server, database, dextr, files }).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
  } catch (error) {
    await dextr.close();
    throw error;
  }
}

interface Opened {
  server: Server;
  database: Database;
  dextr: Dextr;
  files: Files;
}

async function open(env: Env, { server, database, dextr, files }: Opened): Promise<Installation> {
  const { db } = database;
  const alone = !env.DATABASE_URL;
  if (env.LOGIN_DISABLED) await anonymousUser(db);
  await files.claim((await readInstallation(db)).id, "mark");
  const sockets = openSockets(env, db);
  const { live } = sockets;
  await runnerOfUpkeep(database)("start", () => tidy({ db, files, live, alone }));

  const runner = inBackground(() =>
    startRunner({
      db,
      kinds: taskKinds,
      extra: { files, live, dextr, env },
      concurrency: env.TASK_CONCURRENCY,
      announce: (event) => live.notifyTaskProgress(event),
      listenUrl: env.DATABASE_URL,
      alone,
    }),
  );
  const deliverer = inBackground(() =>
    startDeliverer({
      db,
      allowPrivate: env.WEBHOOKS_PRIVATE,
      alone,
      report: (err) => log.warn({ err }, "webhooks not delivered; will retry"),
    }),
  );
  const stopUpkeep = inBackground(() => startUpkeep({ database, files, live, env, wake: () => runner.wake() }));
  const readiness = new Readiness(() => currentVersion(db));
  const services: Services = { env, db, files, live, dextr, readiness, log, wakeRunner: () => runner.wake() };
  const metrics = await metricsIfOn({
    env,
    db,
    readiness,
    poolLoad: () => database.load?.(),
    socketCount: () => sockets.count(),
  });
  const app = makeApp(services, { checkResponses: process.env.NODE_ENV === "development", metrics });
  server.on("request", app.callback());
  sockets.attach(server);

  const stopWorking = async (graceMs: number) => {
    stopUpkeep();
    await Promise.all([closeWebServer(server, graceMs), runner.stop(graceMs), deliverer.stop(), sockets.close()]);
    await dextr.close();
  };
  const port = await listen(server, env).catch(async (error: unknown) => {
    await stopWorking(0);
    throw error;
  });
  const backups = startBackups(database, env);
  return {
    url: addressOf(env, port),
    isNew: database.created ?? false,
    async stop(graceMs) {
      database.lock?.announceEnd();
      readiness.startStopping();
      endConnectionsSoon(server);
      // Other processes take over the tasks while this one still accepts requests. A failure is reported below.
      runner.stop(graceMs).catch(() => undefined);
      await wait(env.DRAIN_SECONDS * 1_000);
      await stopWorking(graceMs);
      await backups.stop();
      await database.close();
    },
  };
}

interface UpkeepTools {
  database: Database;
  files: Files;
  live: Live;
  env: Env;
  /** Wakes the runner after a task was queued. */
  wake: () => void;
}

/** Starts the regular upkeep. Returns a function that stops it. */
function startUpkeep({ database, files, live, env, wake }: UpkeepTools): () => void {
  const { db, quietMs } = database;
  const runAlone = runnerOfUpkeep(database);
  const report = (text: string) => (err: unknown) => log.warn({ err }, text);
  const stops = [
    pruneHistoryRegularly(db, env.HISTORY_DAYS, runAlone, report("history not pruned")),
    pruneScenesRegularly(db, runAlone, report("sent scenes not pruned")),
    sweepTrashRegularly({ db, files, wake }, runAlone, report("trash not swept")),
    removeLeftoversRegularly({ db, files, live }, runAlone, report("leftovers not removed")),
    refreshStatisticsRegularly(db, runAlone, report("statistics not refreshed")),
  ];
  if (quietMs) stops.push(vacuumRegularly(db, quietMs, report("tables not vacuumed")));
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Removes leftovers of killed processes. Unless `alone`, keeps those of the last day, which other processes may be
 * using.
 */
async function tidy({ alone, ...tools }: TransferTools & { alone: boolean }): Promise<void> {
  const failed = (err: unknown) => log.warn({ err }, "leftovers of killed processes could not be removed");
  await tools.files.images.temporary.tidy(alone ? 0 : DAY_MS).catch(failed);
  await tidyTransfers(tools, { alone }).catch(failed);
  await sweepTrash(tools, alone ? 0 : DAY_MS).catch(failed);
  await clearClosedAccounts(tools.db).catch(failed);
}

const DAY_MS = 86_400_000;
type TransferTools = Parameters<typeof tidyTransfers>[0];

function addressOf({ HOST, BASE_PATH, TLS_CERT }: Env, port: number): string {
  const host = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(HOST) ? "localhost" : HOST;
  return `${TLS_CERT ? "https" : "http"}://${host}:${port}${BASE_PATH}`;
}
