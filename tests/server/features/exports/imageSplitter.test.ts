import { expect, it } from "vitest";
import { ImageSplitter } from "../../../../server/features/exports/imageSplitter";

const HASHES = Array.from({ length: 1000 }, (_, n) => `image ${n}`);

function setsOf(shares: [number, number, number], seed: string, hashes = HASHES): Map<string, string> {
  const splitter = new ImageSplitter(shares, seed);
  for (const hash of hashes) splitter.add(hash);
  return new Map(hashes.map((hash) => [hash, splitter.of(hash)]));
}

const counts = (sets: Map<string, string>) =>
  ["train", "val", "test"].map((split) => [...sets.values()].filter((one) => one === split).length);

it("assigns each set its exact share of the images", () => {
  expect(counts(setsOf([80, 10, 10], "0"))).toEqual([800, 100, 100]);
  expect(counts(setsOf([33.3, 33.3, 33.4], "0"))).toEqual([333, 333, 334]);
  expect(counts(setsOf([100, 0, 0], "0"))).toEqual([1000, 0, 0]);
  expect(counts(setsOf([0, 0, 100], "0"))).toEqual([0, 0, 1000]);
  expect(counts(setsOf([50, 0, 50], "0", HASHES.slice(0, 3)))).toEqual([2, 0, 1]);
  expect(counts(setsOf([80, 10, 10], "0", []))).toEqual([0, 0, 0]);
});

it("splits equally for equal seeds in any order, and differently for another seed", () => {
  const first = setsOf([80, 10, 10], "a");
  const reversed = setsOf([80, 10, 10], "a", HASHES.toReversed());
  expect(HASHES.every((hash) => first.get(hash) === reversed.get(hash))).toBe(true);
  const other = setsOf([80, 10, 10], "b");
  expect(HASHES.filter((hash) => first.get(hash) !== other.get(hash)).length).toBeGreaterThan(100);
});

it("moves few images when some are added, and keeps equal ones together", () => {
  const before = setsOf([80, 10, 10], "a");
  const after = setsOf([80, 10, 10], "a", [...HASHES, ...Array.from({ length: 100 }, (_, n) => `new ${n}`)]);
  expect(HASHES.filter((hash) => before.get(hash) !== after.get(hash)).length).toBeLessThan(60);
  const twins = setsOf([50, 50, 0], "a", ["same", "same", "same", "same"]);
  expect(twins.size).toBe(1);
});
