import { describe, expect, it } from "vitest";
import { guided } from "../../../../model/dextr/predict/guided";

const SIZE = 64;

type Value = (x: number, y: number) => number;

const plane = (value: Value) =>
  Float32Array.from({ length: SIZE * SIZE }, (_, i) => value(i % SIZE, Math.floor(i / SIZE)));

/** Returns red, green and blue of an image in -1..1. */
function image(...values: [Value, Value, Value]): Float32Array {
  const planes = new Float32Array(3 * SIZE * SIZE);
  values.forEach((value, n) => {
    planes.set(plane(value), n * SIZE * SIZE);
  });
  return planes;
}

const grey = image(
  () => 0,
  () => 0,
  () => 0,
);

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
}

describe("a guided probability", () => {
  it.each([0, 0.3, 1])("keeps a constant %d constant on any image", (value) => {
    const restless = image(
      (x, y) => Math.sin(x * y),
      (x) => Math.cos(x),
      (_, y) => (y % 2 ? 1 : -1),
    );
    const found = guided(
      plane(() => value),
      restless,
      SIZE,
    );
    expect(
      largestDifference(
        found,
        plane(() => value),
      ),
    ).toBeLessThan(1e-4);
  });

  it.each([
    ["red", [1, 0, 0]],
    ["green", [0, 1, 0]],
    ["blue", [0, 0, 1]],
    ["all colours", [1, 1, 1]],
  ] as const)("moves a border that ends two pixels beside an edge of %s onto the edge", (_, [r, g, b]) => {
    const edge = (share: number) => (x: number) => share * (x < 32 ? 0.4 : -0.4);
    const colours = image(edge(r), edge(g), edge(b));
    for (const shift of [-2, 2]) {
      const soft = plane((x) => 1 / (1 + Math.exp(x + 0.5 - 32 - shift)));
      const found = guided(soft, colours, SIZE);
      for (let y = 0; y < SIZE; y++) {
        expect(found[y * SIZE + 31]).toBeGreaterThan(0.5);
        expect(found[y * SIZE + 32]).toBeLessThan(0.5);
      }
    }
  });

  it("keeps its border if colours show no edge", () => {
    const soft = plane((x, y) => 1 / (1 + Math.exp(x - y)));
    const found = guided(soft, grey, SIZE);
    for (let y = 8; y < SIZE - 8; y++) {
      expect(found[y * SIZE + y - 1]).toBeGreaterThan(0.5);
      expect(found[y * SIZE + y + 1]).toBeLessThan(0.5);
    }
  });

  it("does not move to a distant edge", () => {
    const edge = (x: number) => (x < 44 ? 0.4 : -0.4);
    const colours = image(edge, edge, edge);
    const soft = plane((x) => 1 / (1 + Math.exp(x + 0.5 - 32)));
    const found = guided(soft, colours, SIZE);
    expect(found[32 * SIZE + 30]).toBeGreaterThan(0.5);
    expect(found[32 * SIZE + 33]).toBeLessThan(0.5);
  });

  it("stays within 0 and 1, even in noise", () => {
    let state = 1;
    const random = () => {
      state = (state * 16807) % 2147483647;
      return state / 2147483647;
    };
    const found = guided(
      plane(() => (random() < 0.5 ? 0 : 1)),
      image(
        () => random() * 2 - 1,
        () => random() * 2 - 1,
        () => random() * 2 - 1,
      ),
      SIZE,
    );
    expect(found.every((value) => value >= 0 && value <= 1)).toBe(true);
  });

  it("leaves its input unchanged", () => {
    const soft = plane((x) => (x % 7) / 7);
    const before = soft.slice();
    guided(soft, grey, SIZE);
    expect(soft).toEqual(before);
  });
});
