import { type Kysely, sql } from "kysely";
import { SerialQueue } from "../../shared/async/serialQueue";
import type { Schema, TaskRow } from "../db/schema";
import { type Claim, storeProgress } from "./claim";

/** Progress and log of a running task: gathered here, stored now and then. */
export interface Report {
  progress(percent: number): void;
  say(level: Level, text: string): void;
  /** The task is over: of a log that was too long, its last lines follow. */
  end(): void;
  counts(): { progress: number; warnings: number; errors: number };
  /** Stores what is new. "lost": the task is no longer this worker's, and nothing was stored. Throws with the database. */
  store(): Promise<Stored>;
}

type Stored = "stored" | "unchanged" | "lost";

export type Level = "INFO" | "WARNING" | "ERROR";

/**
 * Of a log that is too long its beginning is kept, up to as many lines or letters, and its last lines, among which is why
 * a task has failed. Counters go on.
 */
export const MAX_LINES = 5_000;
export const MAX_LETTERS = 500_000;
export const LAST_LINES = 50;
const MAX_LINE_LENGTH = 2_000;
const LINES_A_STATEMENT = 500;

interface Line {
  level: Level;
  text: string;
  created_at: Date;
}

export async function openReport(db: Kysely<Schema>, claim: Claim, task: TaskRow): Promise<Report> {
  let { progress, warnings, errors } = task;
  let { lines, letters } = await storedLog(db, claim.id);
  let waiting: (Line & { line: number })[] = [];
  /** The last lines of those that the full log does not take. */
  let held: Line[] = [];
  let leftOut = 0;
  let changed = false;

  const isFull = () => lines >= MAX_LINES || letters >= MAX_LETTERS;
  const add = (line: Line) => {
    waiting.push({ line: ++lines, ...line });
    letters += line.text.length;
  };
  const keep = (line: Line) => {
    add(line);
    if (isFull())
      add(lineOf("WARNING", "The log is full. What follows is counted, and its last lines come at the end."));
  };
  const hold = (line: Line) => {
    held.push(line);
    if (held.length <= LAST_LINES) return;
    held.shift();
    leftOut++;
  };
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
  const stores = new SerialQueue();

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
      if (isFull()) hold(lineOf(level, oneLine(text)));
      else keep(lineOf(level, oneLine(text)));
    },
    end() {
      if (held.length === 0) return;
      changed = true;
      if (leftOut > 0) add(lineOf("INFO", `Here ${leftOut} lines are left out.`));
      for (const line of held) add(line);
      [held, leftOut] = [[], 0];
    },
    store: () => stores.add(storeNow),
  };
}

const lineOf = (level: Level, text: string): Line => ({ level, text, created_at: new Date() });

/** Returns the size of the log that an earlier attempt left. */
async function storedLog(db: Kysely<Schema>, taskId: number): Promise<{ lines: number; letters: number }> {
  const { lines, letters } = await db
    .selectFrom("task_logs")
    .where("task_id", "=", taskId)
    .select((eb) => [eb.fn.max("line").as("lines"), sql<number | null>`sum(length(text))`.as("letters")])
    .executeTakeFirstOrThrow();
  return { lines: lines ?? 0, letters: Number(letters ?? 0) };
}

function storeAll(
  db: Kysely<Schema>,
  claim: Claim,
  counts: { progress: number; warnings: number; errors: number },
  lines: (Line & { line: number })[],
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
