import type { Kysely } from "kysely";
import type { Schema } from "../db/schema";

/**
 * Numbers of pictures for the pager. Counting 100,000 rows takes longer than reading a page of them, so a number is
 * kept for twenty times as long as counting took: counting takes at most a twentieth of the time, and a number that is
 * cheap is nearly always fresh. Pages are never kept, and where a page shows the end of the list its number is exact.
 */
interface Counted {
  total: Promise<number>;
  datasetId: number;
  /** Milliseconds of performance.now(). */
  freshUntil: number;
}

const KEEP_FACTOR = 20;
const MAX_KEEP_MS = 5_000;
const MAX_ENTRIES = 1_000;
const keptBy = new WeakMap<Kysely<Schema>, Map<string, Counted>>();

/** Those who ask for the same number at once wait for one count. */
export async function countOnce(
  db: Kysely<Schema>,
  datasetId: number,
  key: string,
  count: () => Promise<number>,
): Promise<number> {
  const kept = keptOf(db);
  const name = `${datasetId} ${key}`;
  const present = kept.get(name);
  if (present && present.freshUntil > performance.now()) return present.total;
  const start = performance.now();
  const entry: Counted = { total: count(), datasetId, freshUntil: Number.POSITIVE_INFINITY };
  remember(kept, name, entry);
  try {
    return await entry.total;
  } catch (error) {
    if (kept.get(name) === entry) kept.delete(name);
    throw error;
  } finally {
    const now = performance.now();
    entry.freshUntil = now + Math.min(MAX_KEEP_MS, (now - start) * KEEP_FACTOR);
  }
}

/** After pictures came or went, so that whoever did it sees the new number at once. */
export function imagesChanged(db: Kysely<Schema>, datasetId: number): void {
  const kept = keptOf(db);
  for (const [name, entry] of kept) if (entry.datasetId === datasetId) kept.delete(name);
}

function keptOf(db: Kysely<Schema>): Map<string, Counted> {
  const kept = keptBy.get(db) ?? new Map<string, Counted>();
  keptBy.set(db, kept);
  return kept;
}

function remember(kept: Map<string, Counted>, name: string, entry: Counted): void {
  kept.delete(name);
  kept.set(name, entry);
  const oldest = kept.keys().next();
  if (kept.size > MAX_ENTRIES && !oldest.done) kept.delete(oldest.value);
}
