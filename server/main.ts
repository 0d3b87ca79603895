import { type Env, readEnv } from "./base/env";
import { ConfigurationError, StoppedError } from "./base/errors";
import { log } from "./base/log";
import { returnMemorySoon } from "./base/memory";
import { closeTraces } from "./base/traces";
import { version } from "./base/version";
import { type Installation, serve } from "./serve";
import { openTracesIfOn } from "./traces/tracesIfOn";

/** Entry point of `npm start`: one process that serves requests and sockets, and runs tasks. */

const GRACE_MS = 10_000;
/**
 * Milliseconds after which a process with a PostgreSQL server ends in any case, e.g. if that does not respond. An
 * embedded database is not cut off, since it may be writing its backup.
 */
const REST_MS = 30_000;

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "uncaught exception, the process ends");
  process.exit(1);
});

returnMemorySoon();

try {
  const env = readEnv(process.env);
  log.level = env.LOG_LEVEL;
  await openTracesIfOn(process.env);
  const stopSoon = stopOnSignals(env);
  const installation = await serve(env, stopSoon.signal);
  printStart(env, installation);
  stopSoon.when(installation);
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  // Stopping a server that still waits for its data folder is not an error.
  if (error instanceof StoppedError) process.exit(0);
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

function printStart(env: Env, { url, isNew }: Installation): void {
  const lines = [
    `Limn ${version().number} is ready at ${url}`,
    ...(isNew ? [`There was no database in ${env.DATA_DIR}: a new, empty one was created.`] : []),
    env.STORAGE
      ? `Images, uploads and exports are in ${env.STORAGE}, everything else is in ${env.DATA_DIR}.`
      : `Images are in ${env.DATASETS_DIR}, everything else is in ${env.DATA_DIR}.`,
    env.DATABASE_URL
      ? "The database is the PostgreSQL server at DATABASE_URL."
      : "The database is embedded: its data survives a crash of this process, but a power cut can lose the last seconds. Set DATABASE_URL for a PostgreSQL server.",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Stops the process in order at the first signal, even during startup; a second signal exits immediately. */
function stopOnSignals({ DATABASE_URL, DRAIN_SECONDS }: Env): {
  signal: AbortSignal;
  when(installation: Installation): void;
} {
  let running: Installation | undefined;
  const stopping = new AbortController();
  const stop = async (installation: Installation) => {
    if (DATABASE_URL) endWithin(DRAIN_SECONDS * 1_000 + GRACE_MS + REST_MS);
    await installation.stop(GRACE_MS);
    await closeTraces();
    process.exit(0);
  };
  const onSignal = () => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
    if (running) void stop(running);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return {
    signal: stopping.signal,
    when(installation) {
      running = installation;
      if (stopping.signal.aborted) void stop(installation);
    },
  };
}

function endWithin(ms: number): void {
  const end = () => {
    log.fatal({ seconds: ms / 1_000 }, "the process did not stop in time, it ends now");
    process.exit(1);
  };
  setTimeout(end, ms).unref();
}
