import { describe, expect, it } from "vitest";
import type { Point } from "../../../../model/dextr/base/request";
import { obey } from "../../../../model/dextr/predict/obey";
import { seededRandom } from "../../../support/seededRandom";

const SIZE = 64;
const CROP = { left: 10, top: 20, right: 10 + 2 * SIZE, bottom: 20 + SIZE };
const AREA = SIZE * SIZE;

/** Returns the point, in image pixels, of a cell. */
const pointOf = (x: number, y: number): Point => [CROP.left + 2 * x, CROP.top + y];
const plain = () => new Float32Array(3 * AREA);
const at = (plane: Float32Array, x: number, y: number) => plane[y * SIZE + x]!;

/** Returns grey colours with a white square. */
function whiteSquare(left: number, top: number, side: number): Float32Array {
  const colours = plain();
  for (let c = 0; c < 3; c++)
    for (let y = top; y < top + side; y++)
      for (let x = left; x < left + side; x++) colours[c * AREA + y * SIZE + x] = 1;
  return colours;
}

describe("obey", () => {
  it("makes every correction true, of which no two of opposite kinds are neighbours", () => {
    const random = seededRandom(7);
    for (let round = 0; round < 40; round++) {
      const probability = Float32Array.from({ length: AREA }, () => random() ** 4);
      const colours = Float32Array.from({ length: 3 * AREA }, () => 2 * random() - 1);
      const cells = Array.from({ length: 6 }, (_, n) => [10 * n + 3, Math.floor(random() * SIZE)] as const);
      const points = cells.map(([x, y]) => pointOf(x, y));
      obey(probability, colours, { added: points.slice(0, 3), removed: points.slice(3) }, CROP, SIZE);
      for (const [n, [x, y]] of cells.entries())
        expect(at(probability, x, y) > 0.5, `correction ${n} of round ${round}`).toBe(n < 3);
    }
  });

  it("takes what looks like the corrected place, up to where the colours change", () => {
    const probability = new Float32Array(AREA).fill(0.2);
    obey(probability, whiteSquare(20, 20, 12), { added: [pointOf(26, 26)] }, CROP, SIZE);
    expect(at(probability, 21, 26)).toBeGreaterThan(0.5);
    expect(at(probability, 18, 26)).toBeLessThan(0.5);
    expect(at(probability, 26, 33)).toBeLessThan(0.5);
  });

  it("changes less with the distance, nothing beyond many borders, and nothing where the corrections hold already", () => {
    const probability = new Float32Array(AREA).fill(0.1);
    obey(probability, plain(), { added: [pointOf(5, 5)] }, CROP, SIZE);
    const line = [5, 15, 25, 35, 45].map((x) => at(probability, x, 5));
    expect(line).toEqual(line.toSorted((a, b) => b - a));
    const stripes = Float32Array.from({ length: 3 * AREA }, (_, i) => (i % 2 ? 1 : -1));
    const striped = new Float32Array(AREA).fill(0.1);
    obey(striped, stripes, { added: [pointOf(5, 5)] }, CROP, SIZE);
    expect(at(striped, 8, 5)).toBeCloseTo(0.1, 6);
    const certain = new Float32Array(AREA).fill(0.9);
    obey(certain, plain(), { added: [pointOf(5, 5)] }, CROP, SIZE);
    expect(certain.every((value) => Math.abs(value - 0.9) < 1e-6)).toBe(true);
  });

  it("keeps a correction's surroundings from one of the other kind beside it", () => {
    const probability = new Float32Array(AREA).fill(0.5);
    obey(probability, plain(), { added: [pointOf(20, 20)], removed: [pointOf(23, 20)] }, CROP, SIZE);
    expect(at(probability, 20, 20)).toBeGreaterThan(0.5);
    expect(at(probability, 23, 20)).toBeLessThan(0.5);
  });

  it("stays finite where the network is certain, and for points outside the crop", () => {
    const probability = Float32Array.from({ length: AREA }, (_, i) => i % 2);
    obey(probability, plain(), { added: [[-900, 4]], removed: [[5000, 9000]] }, CROP, SIZE);
    expect(probability.every((value) => value >= 0 && value <= 1)).toBe(true);
  });
});
