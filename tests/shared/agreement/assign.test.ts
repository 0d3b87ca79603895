import { describe, expect, it } from "vitest";
import { assign } from "../../../shared/agreement/assign";
import { seededRandom } from "../../support/seededRandom";

/** Returns the largest sum of weights, by trying every assignment. */
function bestSum(weights: readonly (readonly number[])[], row = 0, used = new Set<number>()): number {
  if (row === weights.length) return 0;
  let best = bestSum(weights, row + 1, used);
  for (const [column, weight] of weights[row]!.entries()) {
    if (used.has(column)) continue;
    used.add(column);
    best = Math.max(best, weight + bestSum(weights, row + 1, used));
    used.delete(column);
  }
  return best;
}

describe("assign", () => {
  it("finds the largest sum of 400 random tables of all forms, as trying every assignment does", () => {
    const random = seededRandom(24);
    for (let round = 0; round < 400; round++) {
      const [rows, columns] = [1 + Math.floor(6 * random()), 1 + Math.floor(6 * random())];
      // Zeros and equal weights, as overlaps have them.
      const weight = () => (random() < 0.3 ? 0 : Math.round(8 * random()) / 8);
      const weights = Array.from({ length: rows }, () => Array.from({ length: columns }, weight));
      const found = assign(weights);
      expect(found).toHaveLength(rows);
      const columnsTaken = found.filter((column) => column >= 0);
      expect(new Set(columnsTaken).size).toBe(columnsTaken.length);
      const sum = found.reduce((total, column, row) => total + (column < 0 ? 0 : weights[row]![column]!), 0);
      expect(sum).toBeCloseTo(bestSum(weights), 12);
    }
  });

  it("gives up the best single pair if two others weigh more together", () => {
    expect(
      assign([
        [0.9, 0.8],
        [0.8, 0],
      ]),
    ).toEqual([1, 0]);
  });

  it("leaves rows free whose pairs have no weight", () => {
    expect(
      assign([
        [0, 0],
        [0, 0.6],
      ]),
    ).toEqual([-1, 1]);
    expect(assign([[], []])).toEqual([-1, -1]);
    expect(assign([])).toEqual([]);
  });
});
