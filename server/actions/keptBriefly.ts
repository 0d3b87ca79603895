import type { Kysely } from "kysely";
import type { Schema } from "../db/schema";

/**
 * What stands around a page of pictures: their number, the sub-folders. Counting 100,000 rows takes longer than reading a
 * page of them, so an answer is kept for twenty times as long as asking took: asking takes at most a twentieth of the
 * time, and what is cheap is nearly always fresh. Pages are never kept.
 */
interface Kept {
  answer: Promise<unknown>;
  datasetId: number;
  /** Milliseconds of performance.now(). */
  freshUntil: number;
}

const KEEP_FACTOR = 20;
const MAX_KEEP_MS = 5_000;
const MAX_ENTRIES = 1_000;
const keptBy = new WeakMap<Kysely<Schema>, Map<string, Kept>>();

/** What `ask` answers, or has answered just before. Those who ask for the same at once wait for one answer. */
export async function keptBriefly<T>(
  db: Kysely<Schema>,
  datasetId: number,
  question: string,
  ask: () => Promise<T>,
): Promise<T> {
  const kept = keptOf(db);
  const name = `${datasetId} ${question}`;
  const present = kept.get(name);
  if (present && present.freshUntil > performance.now()) return present.answer as Promise<T>;
  const start = performance.now();
  const answer = ask();
  const entry: Kept = { answer, datasetId, freshUntil: Number.POSITIVE_INFINITY };
  remember(kept, name, entry);
  try {
    return await answer;
  } catch (error) {
    if (kept.get(name) === entry) kept.delete(name);
    throw error;
  } finally {
    const now = performance.now();
    entry.freshUntil = now + Math.min(MAX_KEEP_MS, (now - start) * KEEP_FACTOR);
  }
}

/** After pictures came or went, so that whoever did it sees it at once. */
export function imagesChanged(db: Kysely<Schema>, datasetId: number): void {
  const kept = keptOf(db);
  for (const [name, entry] of kept) if (entry.datasetId === datasetId) kept.delete(name);
}

function keptOf(db: Kysely<Schema>): Map<string, Kept> {
  const kept = keptBy.get(db) ?? new Map<string, Kept>();
  keptBy.set(db, kept);
  return kept;
}

function remember(kept: Map<string, Kept>, name: string, entry: Kept): void {
  kept.delete(name);
  kept.set(name, entry);
  const oldest = kept.keys().next();
  if (kept.size > MAX_ENTRIES && !oldest.done) kept.delete(oldest.value);
}
