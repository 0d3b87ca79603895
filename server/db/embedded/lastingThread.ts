import { existsSync, statfsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { log } from "../../base/log";
import { type PgliteOptions, type PgliteThread, startPgliteThread } from "./pgliteThread";

/** The embedded database as long as the process lives: when its thread breaks down, a new one takes its place. */
export interface LastingThread {
  /** Holds one thread, dead or alive: a transaction that was begun on a dead one fails and never goes on elsewhere. */
  current(): PgliteThread;
  close(): Promise<void>;
}

const DELAY_MS = { first: 100, most: 10_000 };
/** After so long a life the next end counts as the first. */
const HEALTHY_MS = 60_000;
/** Starts in a row that fail before it is given up, where the disk has room: without, it is tried until there is some. */
const FAILED_STARTS = 5;
/** PostgreSQL's log grows by files of 16 MB. */
const ROOM_MB = 17;

/**
 * A thread breaks down when the disk is full (PostgreSQL stops where it cannot write its log), or by a fault of its code.
 * PostgreSQL recovers when it starts again; until then every question is answered with SQLSTATE 57P02. `giveUp` is
 * called when it does not start any more. `check` throws when the folder is not the one that was opened: a start would make
 * an empty database there.
 */
export async function startLastingThread(
  options: PgliteOptions,
  giveUp: (error: Error) => void,
  check: () => void = () => undefined,
): Promise<LastingThread> {
  let delay = DELAY_MS.first;
  let closing = false;
  let reopening: Promise<void> | undefined;

  const onLost = (error: Error) => {
    log.error({ free_mb: freeMegabytes(options.dir) }, `${error.message}; it is started again`);
    reopening = reopen();
  };

  const reopen = async () => {
    for (let tries = 0; !closing; ) {
      await wait(delay);
      delay = Math.min(delay * 2, DELAY_MS.most);
      try {
        check();
        current = await start();
        log.info("the embedded database is open again");
        return;
      } catch (error) {
        const free = freeMegabytes(options.dir) ?? ROOM_MB;
        log.error({ err: error, free_mb: free }, "the embedded database does not start");
        if (free >= ROOM_MB && ++tries === FAILED_STARTS)
          return giveUp(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };

  const start = async () => {
    const thread = await startPgliteThread(options, onLost);
    setTimeout(() => {
      if (current === thread) delay = DELAY_MS.first;
    }, HEALTHY_MS).unref();
    return thread;
  };

  let current = await start();
  return {
    current: () => current,
    async close() {
      closing = true;
      await reopening;
      await current.close();
    },
  };
}

/** On the folder's disk: the usual reason for a sudden end is that there is none left. */
function freeMegabytes(dir: string | undefined): number | undefined {
  if (!dir || !existsSync(dir)) return undefined;
  const { bavail, bsize } = statfsSync(dir);
  return Math.floor((bavail * bsize) / 1_000_000);
}
