import { type Kysely, sql } from "kysely";
import { SerialQueue } from "../../shared/async/serialQueue";
import type { Json } from "../../shared/entities/scalars";
import type { Schema, TaskRow } from "../db/schema";
import { type Claim, type Progress, storeProgress } from "./claim";

/** Progress, result and log of a running task, collected in memory and stored at intervals. */
export interface Report {
  progress(percent: number): void;
  keepResult(result: Json): void;
  addLine(level: Level, text: string): void;
  /** Ends the log: appends the last lines of a log that was too long. */
  end(): void;
  counts(): { progress: number; warnings: number; errors: number };
  /**
   * Stores new lines, progress and result. "lost": the task no longer belongs to this worker. Throws errors of the database.
   */
  store(): Promise<Stored>;
}

type Stored = "stored" | "unchanged" | "lost";

export type Level = "INFO" | "WARNING" | "ERROR";

/**
 * Limits of a log. A longer log keeps its beginning, up to this many lines or characters, and its last lines, which
 * include the reason for a failure. Warnings and errors in the omitted lines are still counted.
 */
export const MAX_LINES = 5_000;
export const MAX_CHARACTERS = 500_000;
export const LAST_LINES = 50;
const MAX_LINE_LENGTH = 2_000;
const LINES_PER_STATEMENT = 500;

interface Line {
  level: Level;
  text: string;
  created_at: Date;
}

export async function openReport(db: Kysely<Schema>, claim: Claim, task: TaskRow): Promise<Report> {
  let { progress, warnings, errors } = task;
  let { lines, characters } = await storedLog(db, claim.id);
  let waiting: (Line & { line: number })[] = [];
  /** The last lines that no longer fit into the log. */
  let lastLines: Line[] = [];
  let leftOut = 0;
  let changed = false;
  let result: Json | undefined;

  const isFull = () => lines >= MAX_LINES || characters >= MAX_CHARACTERS;
  const add = (line: Line) => {
    waiting.push({ line: ++lines, ...line });
    characters += line.text.length;
  };
  const keep = (line: Line) => {
    add(line);
    if (isFull())
      add(lineOf("WARNING", "The log is full. Further lines are counted, and the last ones are added at the end."));
  };
  const holdBack = (line: Line) => {
    lastLines.push(line);
    if (lastLines.length <= LAST_LINES) return;
    lastLines.shift();
    leftOut++;
  };
  const counts = () => ({ progress, warnings, errors });

  const storeNow = async (): Promise<Stored> => {
    if (!changed) return "unchanged";
    const batch = waiting;
    changed = false;
    waiting = [];
    try {
      return (await storeAll(db, claim, { ...counts(), result }, batch)) ? "stored" : "lost";
    } catch (error) {
      waiting = [...batch, ...waiting];
      changed = true;
      throw error;
    }
  };
  /** Stores one after another, otherwise the end of a task could be stored before its last lines. */
  const stores = new SerialQueue();

  return {
    counts,
    progress(percent) {
      if (!Number.isFinite(percent)) return;
      progress = Math.min(100, Math.max(0, percent));
      changed = true;
    },
    keepResult(json) {
      result = json;
      changed = true;
    },
    addLine(level, text) {
      changed = true;
      if (level === "WARNING") warnings++;
      if (level === "ERROR") errors++;
      if (isFull()) holdBack(lineOf(level, oneLine(text)));
      else keep(lineOf(level, oneLine(text)));
    },
    end() {
      if (lastLines.length === 0) return;
      changed = true;
      if (leftOut > 0) add(lineOf("INFO", `${leftOut} lines are omitted here.`));
      for (const line of lastLines) add(line);
      [lastLines, leftOut] = [[], 0];
    },
    store: () => stores.add(storeNow),
  };
}

const lineOf = (level: Level, text: string): Line => ({ level, text, created_at: new Date() });

/** Returns the size of the log that earlier attempts have stored. */
async function storedLog(db: Kysely<Schema>, taskId: number): Promise<{ lines: number; characters: number }> {
  const { lines, characters } = await db
    .selectFrom("task_logs")
    .where("task_id", "=", taskId)
    .select((eb) => [eb.fn.max("line").as("lines"), sql<number | null>`sum(length(text))`.as("characters")])
    .executeTakeFirstOrThrow();
  return { lines: lines ?? 0, characters: Number(characters ?? 0) };
}

function storeAll(
  db: Kysely<Schema>,
  claim: Claim,
  progress: Progress,
  lines: (Line & { line: number })[],
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await storeProgress(trx, claim, progress))) return false;
    for (let from = 0; from < lines.length; from += LINES_PER_STATEMENT) {
      const some = lines.slice(from, from + LINES_PER_STATEMENT).map((line) => ({ task_id: claim.id, ...line }));
      await trx.insertInto("task_logs").values(some).execute();
    }
    return true;
  });
}

/** Returns one line without control characters: they could forge lines, and PostgreSQL does not accept all of them. */
function oneLine(text: string): string {
  return text
    .slice(0, MAX_LINE_LENGTH)
    .replace(/\p{Cc}+/gu, " ")
    .toWellFormed();
}
