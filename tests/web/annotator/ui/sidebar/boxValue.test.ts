import { expect, test } from "vitest";
import { withBoxValue } from "../../../../../web/annotator/ui/sidebar/boxValue";

const image = { width: 640, height: 480 };

test("a position moves the box and keeps its size, within the image", () => {
  expect(withBoxValue([10, 20, 30, 40], 0, 12.5, image)).toEqual([12.5, 20, 30, 40]);
  expect(withBoxValue([10, 20, 30, 40], 0, -5, image)).toEqual([0, 20, 30, 40]);
  expect(withBoxValue([10, 20, 30, 40], 1, 1000, image)).toEqual([10, 440, 30, 40]);
});

test("a size keeps the upper left corner, within the image and not below a pixel", () => {
  expect(withBoxValue([10, 20, 30, 40], 2, 100, image)).toEqual([10, 20, 100, 40]);
  expect(withBoxValue([10, 20, 30, 40], 2, 1000, image)).toEqual([10, 20, 630, 40]);
  expect(withBoxValue([10, 20, 30, 40], 3, 0, image)).toEqual([10, 20, 30, 1]);
});
