import { expect, test } from "vitest";
import { buffersOf, packRings, unpackRings } from "../../../shared/geometry/packed";

const RINGS = [
  [
    [0, 0, 10.25, 0, 10, 10],
    [2, 2, 3, 2, 3, 3],
  ],
  [[-5, 7.123456789, 6, 7, 8, 9, 1, 1]],
];

test("packed polygons are unpacked unchanged, also after transfer to another thread", () => {
  const packed = packRings(RINGS);
  const moved = structuredClone(packed, { transfer: buffersOf(packed) });
  expect(unpackRings(moved)).toEqual(RINGS);
  expect(packed.coordinates.byteLength).toBe(0);
});

test("an empty list of polygons and polygons without points stay distinct", () => {
  expect(unpackRings(packRings([]))).toEqual([]);
  expect(unpackRings(packRings([[[]], []]))).toEqual([[[]], []]);
});
