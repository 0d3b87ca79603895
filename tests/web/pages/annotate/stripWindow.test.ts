import { expect, test } from "vitest";
import { piecesOf, shownRange, stripWindow } from "../../../../web/pages/annotate/stripWindow";

test("the strip scrolls through the whole list, and through the neighbourhood of the open image in a huge one", () => {
  expect(stripWindow(5, 128)).toEqual({ start: 0, count: 128 });
  expect(stripWindow(9_999, 10_000)).toEqual({ start: 0, count: 10_000 });
  for (const before of [0, 49_999, 60_000, 500_000, 999_999]) {
    const { start, count } = stripWindow(before, 1_000_000);
    expect(start).toBeLessThanOrEqual(before);
    expect(start + count).toBeGreaterThan(before);
    expect(count).toBe(100_000);
  }
});

test("only images in view and a few beside them are shown, in lists of any length", () => {
  expect(shownRange({ left: 0, width: 840 }, 84, 10_000)).toEqual({ from: 0, to: 14 });
  expect(shownRange({ left: 420_000, width: 840 }, 84, 10_000)).toEqual({ from: 4996, to: 5014 });
  expect(shownRange({ left: 84 * 9_990, width: 840 }, 84, 10_000)).toEqual({ from: 9986, to: 10_000 });
  expect(shownRange({ left: 5_000, width: 840 }, 84, 3)).toEqual({ from: 0, to: 3 });
});

test("a range lies in the pieces that are loaded for it", () => {
  expect(piecesOf(0, 14, 60)).toEqual([{ index: 0, from: 0, to: 14 }]);
  expect(piecesOf(55, 121, 60)).toEqual([
    { index: 0, from: 55, to: 60 },
    { index: 1, from: 60, to: 120 },
    { index: 2, from: 120, to: 121 },
  ]);
  expect(piecesOf(5, 5, 60)).toEqual([{ index: 0, from: 5, to: 5 }]);
  expect(piecesOf(0, 0, 60)).toEqual([]);
});
