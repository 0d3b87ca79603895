import { expect, test } from "vitest";
import { scaleBbox, scaleBetween, scaleKeypoints, scaleRings, scaleTriples } from "../../../shared/geometry/scale";

const scale = scaleBetween({ width: 100, height: 50 }, { width: 200, height: 25 });

test("coordinates are scaled by the ratio of widths and heights; labels, visibilities and unset triples stay", () => {
  expect(scale).toEqual({ x: 2, y: 0.5 });
  expect(
    scaleRings(
      [
        [
          [10, 20, 30, 40],
          [1, 1],
        ],
      ],
      scale,
    ),
  ).toEqual([
    [
      [20, 10, 60, 20],
      [2, 0.5],
    ],
  ]);
  expect(scaleBbox([10, 20, 30, 40], scale)).toEqual([20, 10, 60, 20]);
  expect(scaleKeypoints([{ label: 3, x: 10, y: 20, v: 1 }], scale)).toEqual([{ label: 3, x: 20, y: 10, v: 1 }]);
  expect(scaleTriples([10, 20, 2, 0, 0, 0], scale)).toEqual([20, 10, 2, 0, 0, 0]);
});

test("nothing is scaled beyond the largest coordinate of a shape", () => {
  expect(scaleRings([[[9e6, -9e6]]], { x: 100, y: 100 })).toEqual([[[1e7, -1e7]]]);
});
