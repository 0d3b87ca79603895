import { expect, test } from "vitest";
import { placeOf } from "../../../../../web/pages/dataset/images/preview/placeOf";

const screen = { width: 1440, height: 900 };
const wide = { width: 4000, height: 3000 };
const at = (left: number, top: number) => ({ left, top, width: 190, height: 142 });

test("a preview is beside its card on the side with more room, in the image's aspect ratio", () => {
  expect(placeOf(at(300, 300), wide, screen, 520)).toEqual({ left: 500, top: 176, width: 520, height: 390 });
  expect(placeOf(at(1200, 300), wide, screen, 520)).toMatchObject({ left: 670, width: 520 });
});

test("a preview stays on the screen, with the lines below it", () => {
  expect(placeOf(at(300, 10), wide, screen, 520).top).toBe(10);
  const { top, height } = placeOf(at(300, 850), wide, screen, 520);
  expect(top + height).toBeLessThan(screen.height - 76);
  const narrow = placeOf(at(100, 100), wide, { width: 390, height: 844 }, 520);
  expect(narrow.width).toBeLessThanOrEqual(390 - 290);
});

test("a small image is enlarged at most twice", () => {
  expect(placeOf(at(300, 300), { width: 32, height: 20 }, screen, 520)).toMatchObject({ width: 64, height: 40 });
});
