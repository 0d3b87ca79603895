import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tidyTransfers } from "./actions/coco/tidyTransfers";
import { pruneHistoryRegularly } from "./actions/edits/pruneHistory";
import { anonymousPerson } from "./actions/identity";
import { makeApp } from "./app";
import { startBackups } from "./db/backups";
import { openDatabase } from "./db/database";
import type { Env } from "./env";
import { ConfigurationError, codeOf } from "./errors";
import { makeFiles } from "./files/files";
import { closeWebServer, listen, makeWebServer } from "./listen";
import { log } from "./log";
import { startRunner } from "./queue/runner";
import type { Services } from "./services";
import { openSockets } from "./sockets/openSockets";
import { taskKinds } from "./tasks";

/** A running installation. */
export interface Installation {
  /** As a browser on this machine reaches it. */
  url: string;
  /** Ends requests, tasks and sockets in order, within `graceMs`, then backs up the embedded database and closes it. */
  stop(graceMs: number): Promise<void>;
}

/** Opens everything from the bottom up. Throws ConfigurationError, with all closed again, for what an operator must mend. */
export async function serve(env: Env): Promise<Installation> {
  const server = makeWebServer(env);
  requireWritable(env.DATA_DIR);
  requireWritable(env.DATASETS_DIR);
  const database = await openDatabase(env);
  const { db } = database;
  const opened: (() => Promise<unknown>)[] = [() => database.close()];
  try {
    if (env.LOGIN_DISABLED) await anonymousPerson(db);
    const backups = startBackups(database, env);
    const stopPruning = pruneHistoryRegularly(db, env.HISTORY_DAYS, (err) => log.warn({ err }, "history not pruned"));
    const files = makeFiles(env);
    const sockets = openSockets(env, db);
    opened.push(() => sockets.close());
    await tidyTransfers({ db, files, live: sockets.live }, { alone: !env.DATABASE_URL }).catch((err) =>
      log.warn({ err }, "imports and exports not tidied"),
    );
    const runner = startRunner({
      db,
      kinds: taskKinds,
      extra: { files, live: sockets.live },
      concurrency: env.TASK_CONCURRENCY,
      announce: (event) => sockets.live.tellTask(event),
      listenUrl: env.DATABASE_URL,
      alone: !env.DATABASE_URL,
    });
    opened.push(() => runner.stop());
    const services: Services = { env, db, files, live: sockets.live, log, wakeRunner: () => runner.wake() };
    const app = makeApp(services, { checkAnswers: process.env.NODE_ENV === "development" });
    server.on("request", app.callback());
    sockets.attach(server);
    const port = await listen(server, env);
    return {
      url: addressOf(env, port),
      async stop(graceMs) {
        stopPruning();
        await Promise.all([closeWebServer(server, graceMs), runner.stop(graceMs), sockets.close()]);
        await backups.stop();
        await database.close();
      },
    };
  } catch (error) {
    for (const close of opened.reverse()) await close();
    throw error;
  }
}

function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    rmSync(mkdtempSync(join(folder, ".limn-")), { recursive: true });
  } catch (error) {
    throw new ConfigurationError(`The folder ${folder} cannot be written to (${codeOf(error) || "unknown reason"}).`);
  }
}

function addressOf({ HOST, BASE_PATH, TLS_CERT }: Env, port: number): string {
  const host = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(HOST) ? "localhost" : HOST;
  return `${TLS_CERT ? "https" : "http"}://${host}:${port}${BASE_PATH}`;
}
