import { expect, it } from "vitest";
import { levelOf } from "../../../../model/dextr/outline/level";

it("maps a threshold of 80 to a probability of one half, and rises throughout", () => {
  expect(levelOf(80)).toBeCloseTo(0.5, 12);
  expect(levelOf(50)).toBeCloseTo(0.1161, 4);
  expect(levelOf(95)).toBeCloseTo(0.8527, 4);
  for (let threshold = 12; threshold < 100; threshold++) {
    expect(levelOf(threshold + 1)).toBeGreaterThan(levelOf(threshold));
  }
});

it("stays slightly inside 0 and 1", () => {
  expect(levelOf(0)).toBe(0.001);
  expect(levelOf(100)).toBe(0.999);
});

it.each([-1, 100.1, Number.NaN, Number.POSITIVE_INFINITY])("refuses a threshold of %d", (threshold) => {
  expect(() => levelOf(threshold)).toThrow("0 to 100");
});
