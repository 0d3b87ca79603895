import type { Kysely } from "kysely";
import { beforeEach, expect, it, vi } from "vitest";
import type { Schema } from "../../../../server/db/schema";
import { imagesChanged, keptBriefly } from "../../../../server/features/images/keptBriefly";

/** The cache is kept for each database; this one is never queried. */
let db: Kysely<Schema>;
let now: number;
let asked: number;

beforeEach(() => {
  db = {} as Kysely<Schema>;
  now = 1000;
  asked = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

/** Takes `ms` and returns the number of calls so far. */
const ask =
  (ms = 10) =>
  async () => {
    const answer = ++asked;
    now += ms;
    return answer;
  };
const kept = (work = ask()) => keptBriefly(db, 1, "number", work);

it("asks once for all who ask at once, and for twenty times as long as that took", async () => {
  expect(await Promise.all([kept(), kept(), kept()])).toEqual([1, 1, 1]);
  now += 190;
  expect(await kept()).toBe(1);
});

it("gives the old answer while it asks for the next one, and asks for that once", async () => {
  await kept();
  now += 250;
  expect(await Promise.all([kept(), kept()])).toEqual([1, 1]);
  expect(asked).toBe(2);
  expect(await kept()).toBe(2);
});

it("waits for a new answer when the old one is too old, or images came or went", async () => {
  await kept();
  now += 10_000;
  expect(await kept()).toBe(2);
  imagesChanged(db, 1);
  expect(await kept()).toBe(3);
});

it("does not keep an answer that was asked for before images came or went", async () => {
  await kept();
  now += 250;
  let finish = (_: number) => {};
  await kept(() => new Promise((resolve) => (finish = resolve)));
  imagesChanged(db, 1);
  finish(99);
  expect(await kept()).toBe(2);
  expect(await kept()).toBe(2);
});

it("tells whoever waits what went wrong, and asks again", async () => {
  await expect(kept(() => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await kept()).toBe(1);
  now += 250;
  expect(await kept(() => Promise.reject(new Error("lost")))).toBe(1);
  now += 10_000;
  expect(await kept()).toBe(2);
});
