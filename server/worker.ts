import { type Env, readEnv } from "./base/env";
import { ConfigurationError } from "./base/errors";
import { log } from "./base/log";
import { returnMemorySoon } from "./base/memory";
import { closeTraces } from "./base/traces";
import { readInstallation } from "./db/installation";
import { openDatabase } from "./db/open/database";
import { makeFiles } from "./files/files";
import { openDextr } from "./onnx/openDextr";
import { startRunner } from "./queue/runner";
import { openSockets } from "./sockets/openSockets";
import { taskKinds } from "./tasks";
import { openTracesIfOn } from "./traces/tracesIfOn";

/**
 * Entry point of `npm run worker`: a process that only runs tasks, in addition to server processes with the same
 * database and folders.
 */

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "uncaught exception, the process ends");
  process.exit(1);
});

returnMemorySoon();

try {
  const env = readEnv(process.env);
  log.level = env.LOG_LEVEL;
  await openTracesIfOn(process.env);
  if (!env.DATABASE_URL)
    throw new ConfigurationError("npm run worker needs DATABASE_URL: the embedded database serves one process only.");
  const stop = await work(env, env.DATABASE_URL);
  process.stdout.write(`Working on up to ${env.TASK_CONCURRENCY} task(s) at a time.\n`);
  stopOnSignals(stop);
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function work(env: Env, databaseUrl: string): Promise<() => Promise<void>> {
  const files = makeFiles(env);
  await files.check();
  const { db, close } = await openDatabase(env);
  await files.claim((await readInstallation(db)).id, "mark");
  // Accepts no connections: only notifies the pages that are connected to other processes.
  const sockets = openSockets(env, db);
  const dextr = await openDextr(env);
  const runner = startRunner({
    db,
    kinds: taskKinds,
    extra: { files, live: sockets.live, dextr, env },
    concurrency: env.TASK_CONCURRENCY,
    announce: (event) => sockets.live.notifyTaskProgress(event),
    listenUrl: databaseUrl,
  });
  return async () => {
    await runner.stop();
    await dextr.close();
    await sockets.close();
    await close();
    await closeTraces();
  };
}

/** Stops and requeues the tasks at the first signal; a second signal exits immediately. */
function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
