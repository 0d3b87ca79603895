import { expect, it } from "vitest";
import { cropOf, extentOf, widthFor } from "../../../../../web/pages/dataset/quality/crop";

const image = { width: 960, height: 640 };
const whole = { x: 0, y: 0, ...image };

it("shows the whole image without boxes, and around boxes that fill it", () => {
  expect(cropOf(image, [])).toEqual(whole);
  expect(cropOf(image, [{ x: 100, y: 50, width: 700, height: 500 }])).toEqual(whole);
});

it("shows the place of all boxes with a margin around it", () => {
  const boxes = [
    { x: 300, y: 300, width: 80, height: 100 },
    { x: 320, y: 300, width: 80, height: 100 },
  ];
  expect(cropOf(image, boxes)).toEqual({ x: 250, y: 250, width: 200, height: 200 });
});

it("shows no more than the image around a long box", () => {
  expect(cropOf(image, [{ x: 480, y: 20, width: 10, height: 600 }])).toEqual({ x: 180, y: 0, width: 610, height: 640 });
});

it("shows at least as much around a tiny box as gives a sharp picture", () => {
  const tiny = { x: 500, y: 400, width: 4, height: 4 };
  expect(cropOf(image, [tiny])).toEqual({ x: 437, y: 362, width: 130, height: 80 });
  // Of a large image the server sends a smaller one.
  expect(cropOf({ width: 8192, height: 4096 }, [tiny]).width).toBe(520);
});

it("keeps the part of a box that reaches beyond the image, but not what lies far away", () => {
  const box = { x: 900, y: 100, width: 160, height: 100 };
  expect(extentOf(image, [box])).toEqual({ x: 0, y: 0, width: 1092, height: 640 });
  expect(extentOf(image, [{ ...box, x: 90_000 }])).toEqual({ x: 0, y: 0, width: 1460, height: 640 });
});

it("requests a width that is sharp on the screen, and never more than the server sends", () => {
  expect(widthFor(image, whole, 1)).toBe(250);
  expect(widthFor(image, whole, 2)).toBe(500);
  expect(widthFor(image, { x: 250, y: 250, width: 200, height: 200 }, 1)).toBe(1000);
  expect(widthFor({ width: 8192, height: 4096 }, { x: 0, y: 0, width: 520, height: 320 }, 3)).toBe(2048);
});
