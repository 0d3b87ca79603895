import { describe, expect, test } from "vitest";
import { farthestFirst, type Points } from "../../../../../server/features/embeddings/order/farthestFirst";
import { seededRandom } from "../../../../support/seededRandom";

const SIZE = 20;

/** Greedy farthest-point order, written anew and slowly: all distances, at each step. */
function bruteForce(points: Points, references: number[], candidates: number[], most: number): number[] {
  const near = [...references];
  const chosen: number[] = [];
  const distance = (a: number, b: number) => {
    let sum = 0;
    for (let i = 0; i < points.size; i++)
      sum += (points.values[a * points.size + i]! - points.values[b * points.size + i]!) ** 2;
    return sum;
  };
  while (chosen.length < Math.min(most, candidates.length)) {
    const ranked = candidates
      .filter((each) => !chosen.includes(each))
      .map((each) => ({ each, far: Math.min(...near.map((other) => distance(each, other))) }));
    const best = ranked.reduce((a, b) => (b.far > a.far ? b : a));
    chosen.push(best.each);
    near.push(best.each);
  }
  return chosen;
}

/** Points in some clusters. With `isCoarse` their coordinates are few, so that many points and distances are equal. */
function points(count: number, seed: number, isCoarse: boolean): Points {
  const random = seededRandom(seed);
  const values = new Float32Array(count * SIZE);
  for (let point = 0; point < count; point++)
    for (let i = 0; i < SIZE; i++) {
      const value = ((point * 7) % 5) * (i % 3) + random();
      values[point * SIZE + i] = isCoarse ? Math.round(value / 3) : value;
    }
  return { values, size: SIZE };
}

describe("farthest-point order", () => {
  for (const isCoarse of [false, true])
    test(`equals a brute force search${isCoarse ? " if many distances are equal" : ""}`, () => {
      for (let seed = 1; seed <= 12; seed++) {
        const count = 10 * seed;
        const all = points(count, seed, isCoarse);
        const references = Array.from({ length: count }, (_, i) => i).filter((i) => i % (1 + (seed % 4)) === 0);
        const candidates = Array.from({ length: count }, (_, i) => i).filter((i) => !references.includes(i));
        const most = seed % 3 === 0 ? count : 25;
        expect(farthestFirst(all, references, candidates, most)).toEqual(bruteForce(all, references, candidates, most));
      }
    });

  test("begins with the image nearest to the mean if nothing is labelled, and then goes on as ever", () => {
    const values = Float32Array.of(0, 0, 10, 0, 4, 1, 0, 6);
    const all = { values, size: 2 };
    const [first, ...others] = farthestFirst(all, [], [0, 1, 2, 3], 4);
    expect(first).toBe(2);
    expect(others).toEqual(bruteForce(all, [2], [0, 1, 3], 4));
  });

  test("returns nothing for no candidates, and one for one", () => {
    const all = points(3, 1, false);
    expect(farthestFirst(all, [0, 1], [], 10)).toEqual([]);
    expect(farthestFirst(all, [], [2], 10)).toEqual([2]);
    expect(farthestFirst(all, [0], [2], 0)).toEqual([]);
  });

  test("is near the exact one if the number of distances is limited, and never gives equal points before others", () => {
    const all = points(400, 3, false);
    const references = Array.from({ length: 200 }, (_, i) => i);
    const candidates = Array.from({ length: 200 }, (_, i) => 200 + i);
    const order = farthestFirst(all, references, candidates, 200, 0);
    expect(order.toSorted((a, b) => a - b)).toEqual(candidates);
    const pairs = { values: Float32Array.of(0, 0, 0, 5, 5, 9, 9), size: 1 };
    expect(farthestFirst(pairs, [0, 1, 2], [3, 4, 5, 6], 4, 0)).toEqual([5, 3, 4, 6]);
  });

  test("gives each candidate once, also of equal points", () => {
    const all = { values: new Float32Array(40), size: 4 };
    const candidates = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    expect(farthestFirst(all, [0], candidates, 300)).toEqual(candidates);
    expect(farthestFirst(all, [], candidates, 300)).toEqual(candidates);
  });
});
