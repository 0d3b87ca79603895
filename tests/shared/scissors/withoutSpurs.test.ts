import { expect, test } from "vitest";
import { withoutSpurs } from "../../../shared/scissors/withoutSpurs";

const SQUARE = [0, 0, 4, 0, 4, 4, 0, 4];

test("stretches that run back and forth along the same points are removed", () => {
  expect(withoutSpurs([0, 0, 4, 0, 6, 0, 8, 0, 6, 0, 4, 0, 4, 4, 0, 4])).toEqual(SQUARE);
});

test("a spur across the ring's first point is removed", () => {
  expect(withoutSpurs([-4, 0, -2, 0, 0, 0, 4, 0, 4, 4, 0, 4, 0, 0, -2, 0])).toHaveLength(8);
});

test("repeated points count once, and other rings stay as they are", () => {
  expect(withoutSpurs([0, 0, 0, 0, 4, 0, 4, 4, 4, 4, 0, 4, 0, 0])).toHaveLength(8);
  expect(withoutSpurs(SQUARE)).toEqual(SQUARE);
});

test("a ring that is only a spur disappears", () => {
  expect(withoutSpurs([0, 0, 2, 0, 4, 0, 2, 0]).length).toBeLessThan(6);
});
