import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";

/**
 * Figures around a page of images: their number, the sub-folders. Counting 100,000 rows takes longer than reading a
 * page of them, so an answer is kept for twenty times as long as asking took: asking takes at most a twentieth of the
 * time, and what is cheap is nearly always fresh. For as long again it is still given while the next one is on its way,
 * so that nobody waits where many ask. Pages are never kept.
 */
interface Kept {
  answer: Promise<unknown>;
  datasetId: number;
  /** Milliseconds of performance.now(). */
  freshUntil: number;
  usableUntil: number;
  isRenewed: boolean;
}

const KEEP_FACTOR = 20;
const MAX_KEEP_MS = 2_500;
const MAX_ENTRIES = 1_000;
const keptBy = new WeakMap<Kysely<Schema>, Map<string, Kept>>();

/** Returns the result of `ask`, or a recent one. Simultaneous callers share one result. */
export async function keptBriefly<T>(
  db: Kysely<Schema>,
  datasetId: number,
  question: string,
  ask: () => Promise<T>,
): Promise<T> {
  const kept = keptOf(db);
  const name = `${datasetId} ${question}`;
  const present = kept.get(name);
  const now = performance.now();
  if (!present || present.usableUntil < now) return askNow(kept, name, datasetId, ask);
  if (present.freshUntil < now && !present.isRenewed) {
    present.isRenewed = true;
    // Whoever asks when this answer is too old hears of what went wrong.
    askNow(kept, name, datasetId, ask, present).catch(() => undefined);
  }
  return present.answer as Promise<T>;
}

/** `until` is given meanwhile. */
async function askNow<T>(
  kept: Map<string, Kept>,
  name: string,
  datasetId: number,
  ask: () => Promise<T>,
  until?: Kept,
): Promise<T> {
  const start = performance.now();
  const answer = ask();
  const forever = Number.POSITIVE_INFINITY;
  const entry: Kept = { answer, datasetId, freshUntil: forever, usableUntil: forever, isRenewed: false };
  if (!until) remember(kept, name, entry);
  try {
    await answer;
  } catch (error) {
    if (kept.get(name) === entry) kept.delete(name);
    throw error;
  }
  const now = performance.now();
  const span = Math.min(MAX_KEEP_MS, (now - start) * KEEP_FACTOR);
  entry.freshUntil = now + span;
  entry.usableUntil = now + 2 * span;
  // Images that came or went meanwhile have taken the older answer away, and this one may not know of them.
  if (until && kept.get(name) === until) remember(kept, name, entry);
  return answer;
}

/** After images came or went, so that whoever did it sees it at once. */
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
