import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema";
import type { Database } from "./database";

/** Kinds of upkeep, with their numbers in PostgreSQL's advisory locks, which must not change. */
const NUMBERS = { history: 1, scenes: 2, trash: 3, leftovers: 4, statistics: 5, start: 6 } as const;
/** First number of the locks, so that no other program's locks are meant. */
const OURS = 0x4c_69_6d_6e;

export type Upkeep = keyof typeof NUMBERS;

/** Runs upkeep, or skips it while another process of the same database runs the same kind. */
export type RunAlone = (kind: Upkeep, work: () => Promise<unknown>) => Promise<void>;

/** Returns a function that runs upkeep in one process at a time; the embedded database has only one. */
export function runnerOfUpkeep({ db, kind }: Pick<Database, "db" | "kind">): RunAlone {
  if (kind === "server") return (upkeep, work) => runUnderLock(db, NUMBERS[upkeep], work);
  return async (_, work) => void (await work());
}

/** The connection holds the lock, so it is released when this process dies, or its machine is no longer reachable. */
async function runUnderLock(db: Kysely<Schema>, number: number, work: () => Promise<unknown>): Promise<void> {
  await db.connection().execute(async (connection) => {
    const lock = sql<{ locked: boolean }>`select pg_try_advisory_lock(${OURS}::int, ${number}::int) as locked`;
    const { rows } = await lock.execute(connection);
    if (!rows[0]?.locked) return;
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock(${OURS}::int, ${number}::int)`.execute(connection);
    }
  });
}
