import { expect, test } from "vitest";
import { packRings, unpackRings } from "../../../shared/geometry/packed";
import { signedArea } from "../../../shared/geometry/ring";
import { trace } from "../../../workers/functions/trace";
import { unite } from "../../../workers/functions/unite";

test("a mask is traced along its pixels", () => {
  // Two columns of three pixels, with the centre of the second one set.
  expect(unpackRings(trace({ size: [3, 2], counts: [4, 1, 1] }))).toMatchObject([[[1, 1, 2, 1, 2, 2, 1, 2]]]);
});

test("a malformed mask throws instead of returning an outline", () => {
  expect(() => trace({ size: [3, 2], counts: [4, 1] })).toThrow();
  expect(() => trace({ size: [3, 2], counts: "\u0001~~~~" })).toThrow();
});

test("two squares that overlap become one", () => {
  const square = (x: number) => packRings([[[x, 0, x + 10, 0, x + 10, 10, x, 10]]]);
  const united = unpackRings(unite(square(0), square(5)));
  expect(united).toHaveLength(1);
  expect(Math.abs(signedArea(united[0]![0]!))).toBe(150);
});
