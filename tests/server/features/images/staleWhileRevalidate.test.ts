import type { Kysely } from "kysely";
import { beforeEach, expect, it, vi } from "vitest";
import type { Schema } from "../../../../server/db/schema";
import { invalidateCachedFigures, staleWhileRevalidate } from "../../../../server/features/images/staleWhileRevalidate";

/** Each database has its own cache; this one is never queried. */
let db: Kysely<Schema>;
let now: number;
let loads: number;

beforeEach(() => {
  db = {} as Kysely<Schema>;
  now = 1000;
  loads = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

/** Returns a loader that takes `ms` and returns the number of calls so far. */
const load =
  (ms = 10) =>
  async () => {
    const result = ++loads;
    now += ms;
    return result;
  };
const cached = (work = load()) => staleWhileRevalidate(db, 1, "number", work);

it("loads once for concurrent callers, and caches the result for twenty times as long as loading took", async () => {
  expect(await Promise.all([cached(), cached(), cached()])).toEqual([1, 1, 1]);
  now += 190;
  expect(await cached()).toBe(1);
});

it("returns the stale result while it loads the next one, and loads it only once", async () => {
  await cached();
  now += 250;
  expect(await Promise.all([cached(), cached()])).toEqual([1, 1]);
  expect(loads).toBe(2);
  expect(await cached()).toBe(2);
});

it("waits for a new result when the old one has expired or was invalidated", async () => {
  await cached();
  now += 10_000;
  expect(await cached()).toBe(2);
  invalidateCachedFigures(db, 1);
  expect(await cached()).toBe(3);
});

it("does not cache a result whose load began before an invalidation", async () => {
  await cached();
  now += 250;
  let finish = (_: number) => {};
  await cached(() => new Promise((resolve) => (finish = resolve)));
  invalidateCachedFigures(db, 1);
  finish(99);
  expect(await cached()).toBe(2);
  expect(await cached()).toBe(2);
});

it("rejects for the waiting callers if loading fails, and loads again for the next one", async () => {
  await expect(cached(() => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await cached()).toBe(1);
  now += 250;
  expect(await cached(() => Promise.reject(new Error("lost")))).toBe(1);
  now += 10_000;
  expect(await cached()).toBe(2);
});
