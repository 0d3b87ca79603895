import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";

/**
 * Stale-while-revalidate cache for figures about a dataset's images, such as their number and subfolders. Counting
 * 100,000 rows takes longer than reading a page of them, so a result stays fresh for twenty times as long as it took to
 * load, but at most 2.5 s: cheap results are nearly always fresh. For the same span again, the stale result is returned
 * while a new one loads, so that no request waits for it. Pages of images are never cached. A caller may allow older
 * results.
 */
interface Entry {
  result: Promise<unknown>;
  datasetId: number;
  /** Milliseconds of performance.now(). */
  freshUntil: number;
  usableUntil: number;
  isRefreshing: boolean;
}

type Cache = Map<string, Entry>;

/** Longest times in milliseconds for which a result is fresh, and for which it may be returned at all. */
interface Age {
  freshMs: number;
  usableMs: number;
}

/** Ratio of the time for which a result stays fresh to the time it took to load. */
const FRESH_FACTOR = 20;
const MAX_AGE: Age = { freshMs: 2_500, usableMs: 5_000 };
const MAX_ENTRIES = 1_000;
const caches = new WeakMap<Kysely<Schema>, Cache>();

/** Returns the result of `load`, or a recent one cached under `key`. Concurrent callers share one result. */
export async function staleWhileRevalidate<T>(
  db: Kysely<Schema>,
  datasetId: number,
  key: string,
  load: () => Promise<T>,
  age = MAX_AGE,
): Promise<T> {
  const cache = cacheOf(db);
  const name = `${datasetId} ${key}`;
  const present = cache.get(name);
  const now = performance.now();
  if (!present || present.usableUntil < now) return loadEntry(cache, name, datasetId, load, age);
  if (present.freshUntil < now && !present.isRefreshing) {
    present.isRefreshing = true;
    // If it fails, the first caller for whom this result is too old loads again, and gets the error.
    loadEntry(cache, name, datasetId, load, age, present).catch(() => undefined);
  }
  return present.result as Promise<T>;
}

/** Loads a result and caches it. `stale`: the entry to replace, which stays in use until the new result is there. */
async function loadEntry<T>(
  cache: Cache,
  name: string,
  datasetId: number,
  load: () => Promise<T>,
  age: Age,
  stale?: Entry,
): Promise<T> {
  const start = performance.now();
  const result = load();
  const forever = Number.POSITIVE_INFINITY;
  const entry: Entry = { result, datasetId, freshUntil: forever, usableUntil: forever, isRefreshing: false };
  if (!stale) store(cache, name, entry);
  try {
    await result;
  } catch (error) {
    if (cache.get(name) === entry) cache.delete(name);
    throw error;
  }
  const now = performance.now();
  const span = Math.min(age.freshMs, (now - start) * FRESH_FACTOR);
  entry.freshUntil = now + span;
  entry.usableUntil = now + (span * age.usableMs) / age.freshMs;
  // If the stale entry was invalidated while this one loaded, this result may be too old as well.
  if (stale && cache.get(name) === stale) store(cache, name, entry);
  return result;
}

/** Called with the id of a dataset whose figures were invalidated in this process. */
type Listener = (datasetId: number) => void;
const listeners = new WeakMap<Kysely<Schema>, Listener>();

/** Sets the listener of a database, which passes the ids on to other processes. Returns a function that removes it. */
export function onFiguresInvalidated(db: Kysely<Schema>, listener: Listener): () => void {
  listeners.set(db, listener);
  return () => void listeners.delete(db);
}

/** Removes a dataset's cached figures after images were added or removed, so that the user sees the change at once. */
export function invalidateCachedFigures(db: Kysely<Schema>, datasetId: number): void {
  forgetFigures(db, datasetId);
  listeners.get(db)?.(datasetId);
}

/** Removes a dataset's cached figures in this process only. */
export function forgetFigures(db: Kysely<Schema>, datasetId: number): void {
  const cache = cacheOf(db);
  for (const [name, entry] of cache) if (entry.datasetId === datasetId) cache.delete(name);
}

function cacheOf(db: Kysely<Schema>): Cache {
  const cache = caches.get(db) ?? new Map<string, Entry>();
  caches.set(db, cache);
  return cache;
}

function store(cache: Cache, name: string, entry: Entry): void {
  cache.delete(name);
  cache.set(name, entry);
  const oldest = cache.keys().next();
  if (cache.size > MAX_ENTRIES && !oldest.done) cache.delete(oldest.value);
}
