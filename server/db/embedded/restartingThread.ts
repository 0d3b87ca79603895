import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { log } from "../../base/log";
import { type PgliteOptions, type PgliteThread, startPgliteThread } from "./pgliteThread";

/** The embedded database for the lifetime of the process: when its thread crashes, a new thread replaces it. */
export interface RestartingThread {
  /**
   * Returns the thread, dead or alive. A transaction that was started on a dead thread fails and never continues on
   * another.
   */
  current(): PgliteThread;
  close(): Promise<void>;
}

const DELAY_MS = { first: 100, most: 10_000 };
/** After a thread has run this long, the next crash counts as the first. */
const HEALTHY_MS = 60_000;
/** Failed starts in a row before giving up. Starts that fail while the disk is full or refuses to write do not count. */
const FAILED_STARTS = 5;
/** Free space that PostgreSQL needs to start: its write-ahead log grows by files of 16 MB. */
const ROOM_MB = 17;

/**
 * Starts the thread, and restarts it after a crash. The thread crashes when the disk is full (PostgreSQL stops if it
 * cannot write its log) or because of a bug. PostgreSQL recovers on restart; until then every query rejects with
 * SQLSTATE 57P02. `giveUp` is called if the thread no longer starts. `check` throws if the folder is not the one that
 * was opened: a start would create an empty database there.
 */
export async function startRestartingThread(
  options: PgliteOptions,
  giveUp: (error: Error) => void,
  check: () => void = () => undefined,
): Promise<RestartingThread> {
  let delay = DELAY_MS.first;
  let closing = false;
  let reopening: Promise<void> | undefined;

  const onLost = (error: Error) => {
    log.error({ free_mb: freeMegabytes(options.dir) }, `${error.message}; restarting it`);
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
        log.error({ err: error, free_mb: free }, "the embedded database failed to start");
        if (free >= ROOM_MB && takesWrites(options.dir) && ++tries === FAILED_STARTS)
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

/**
 * Returns false if the disk refuses to write, such as one that fails or is read-only for a while. The database is then
 * not damaged, and starts when the disk is well again.
 */
function takesWrites(dir: string | undefined): boolean {
  if (!dir) return true;
  const probe = join(dir, ".limn-probe");
  try {
    writeFileSync(probe, "probe", { flush: true });
    rmSync(probe);
    return true;
  } catch {
    return false;
  }
}

/** Returns the free space on the folder's disk, for the log: a full disk is the usual cause of a crash. */
function freeMegabytes(dir: string | undefined): number | undefined {
  if (!dir || !existsSync(dir)) return undefined;
  const { bavail, bsize } = statfsSync(dir);
  return Math.floor((bavail * bsize) / 1_000_000);
}
