import { expect, test } from "vitest";
import { withoutSpurs } from "../../../shared/scissors/withoutSpurs";

const SQUARE = [0, 0, 4, 0, 4, 4, 0, 4];

test("what runs forth and back along the same points is removed", () => {
  expect(withoutSpurs([0, 0, 4, 0, 6, 0, 8, 0, 6, 0, 4, 0, 4, 4, 0, 4])).toEqual(SQUARE);
});

test("so is a spur across the place where the ring begins", () => {
  expect(withoutSpurs([-4, 0, -2, 0, 0, 0, 4, 0, 4, 4, 0, 4, 0, 0, -2, 0])).toHaveLength(8);
});

test("repeated points count once, and other rings stay as they are", () => {
  expect(withoutSpurs([0, 0, 0, 0, 4, 0, 4, 4, 4, 4, 0, 4, 0, 0])).toHaveLength(8);
  expect(withoutSpurs(SQUARE)).toEqual(SQUARE);
});

test("nothing but a spur leaves no ring", () => {
  expect(withoutSpurs([0, 0, 2, 0, 4, 0, 2, 0]).length).toBeLessThan(6);
});
