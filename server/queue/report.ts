import type { Kysely } from "kysely";
import type { Schema, TaskRow } from "../db/schema";
import { type Claim, storeProgress } from "./claim";

/** What a running task says of itself: gathered here, stored now and then. */
export interface Report {
  progress(percent: number): void;
  say(level: Level, text: string): void;
  counts(): { progress: number; warnings: number; errors: number };
  /** Stores what is new. "lost": the task is no longer this worker's, and nothing was stored. Throws with the database. */
  store(): Promise<Stored>;
}

type Stored = "stored" | "unchanged" | "lost";

export type Level = "INFO" | "WARNING" | "ERROR";

/** Lines of log that one task may leave. Counters go on. */
export const MAX_LINES = 5_000;
const MAX_LINE_LENGTH = 2_000;
const LINES_A_STATEMENT = 500;

export async function openReport(db: Kysely<Schema>, claim: Claim, task: TaskRow): Promise<Report> {
  let { progress, warnings, errors } = task;
  let lines = await lastLine(db, claim.id);
  let waiting: { line: number; level: Level; text: string; created_at: Date }[] = [];
  let changed = false;

  const add = (level: Level, text: string) => waiting.push({ line: ++lines, level, text, created_at: new Date() });
  const counts = () => ({ progress, warnings, errors });

  const storeNow = async (): Promise<Stored> => {
    if (!changed) return "unchanged";
    const batch = waiting;
    changed = false;
    waiting = [];
    try {
      return (await storeAll(db, claim, counts(), batch)) ? "stored" : "lost";
    } catch (error) {
      waiting = [...batch, ...waiting];
      changed = true;
      throw error;
    }
  };
  /** One at a time, else the end of a task could overtake its last lines. */
  let last: Promise<Stored> = Promise.resolve("unchanged");

  return {
    counts,
    progress(percent) {
      if (!Number.isFinite(percent)) return;
      progress = Math.min(100, Math.max(0, percent));
      changed = true;
    },
    say(level, text) {
      changed = true;
      if (level === "WARNING") warnings++;
      if (level === "ERROR") errors++;
      if (lines < MAX_LINES) add(level, oneLine(text));
      else if (lines === MAX_LINES)
        add("WARNING", "The log is full: from here on warnings and errors are only counted.");
    },
    store() {
      last = last.then(storeNow, storeNow);
      return last;
    },
  };
}

async function lastLine(db: Kysely<Schema>, taskId: number): Promise<number> {
  const { last } = await db
    .selectFrom("task_logs")
    .where("task_id", "=", taskId)
    .select((eb) => eb.fn.max("line").as("last"))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

function storeAll(
  db: Kysely<Schema>,
  claim: Claim,
  counts: { progress: number; warnings: number; errors: number },
  lines: { line: number; level: Level; text: string; created_at: Date }[],
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await storeProgress(trx, claim, counts))) return false;
    for (let from = 0; from < lines.length; from += LINES_A_STATEMENT) {
      const some = lines.slice(from, from + LINES_A_STATEMENT).map((line) => ({ task_id: claim.id, ...line }));
      await trx.insertInto("task_logs").values(some).execute();
    }
    return true;
  });
}

/** One line without control characters, which could forge others, and which PostgreSQL does not take all. */
function oneLine(text: string): string {
  return text
    .slice(0, MAX_LINE_LENGTH)
    .replace(/\p{Cc}+/gu, " ")
    .toWellFormed();
}
