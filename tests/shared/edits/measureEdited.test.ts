import { expect, test } from "vitest";
import { blankAnnotation } from "../../../shared/edits/apply";
import { measureEdited } from "../../../shared/edits/measureEdited";
import type { Annotation } from "../../../shared/entities/annotation";

const SIDES = { width: 100, height: 50 };
const square = [[[10, 10, 20, 10, 20, 20, 10, 20]]];
const blank = blankAnnotation("0b9d4c3e-0000-4000-8000-000000000000", 1);
const imported: Annotation & { stored?: string } = { ...blank, rings: square, area: 12.5, bbox: [1, 2, 3, 4] };

test("measures a new shape as a mask, clipped to the image", () => {
  expect(measureEdited(undefined, { ...blank, rings: square }, SIDES)).toMatchObject({
    area: 100,
    bbox: [10, 10, 10, 10],
  });
  const beyond = [[[90, 40, 120, 40, 120, 70, 90, 70]]];
  expect(measureEdited(imported, { ...imported, rings: beyond }, SIDES)).toMatchObject({
    area: 100,
    bbox: [90, 40, 10, 10],
  });
});

test("keeps an imported area and box while the shape is unchanged", () => {
  expect(measureEdited(imported, { ...imported, color: "#000000" }, SIDES)).toMatchObject({
    area: 12.5,
    bbox: [1, 2, 3, 4],
  });
});

test("takes the box of the keypoints if nothing is drawn", () => {
  const keypoints = [
    { label: 1, x: 5, y: 6, v: 2 },
    { label: 2, x: 8, y: 7, v: 1 },
  ];
  expect(measureEdited(blank, { ...blank, keypoints }, SIDES).bbox).toEqual([5, 6, 3, 1]);
  expect(measureEdited(imported, { ...imported, keypoints }, SIDES).bbox).toEqual([1, 2, 3, 4]);
  const erased = { ...imported, rings: [], isbbox: true, keypoints };
  expect(measureEdited(imported, erased, SIDES)).toMatchObject({ area: 0, bbox: [5, 6, 3, 1], isbbox: false });
});

test("measures a mask that undo has restored", () => {
  const mask: Annotation = { ...blank, rings: null, rle: { size: [50, 100], counts: [105, 10, 4885] } };
  expect(measureEdited({ ...mask, rings: square }, mask, SIDES)).toMatchObject({ area: 10, bbox: [2, 5, 1, 10] });
});

test("forgets how an edited shape was stored", () => {
  const box = { ...imported, stored: "box", isbbox: true };
  expect(measureEdited(box, { ...box, rings: [[[1, 1, 9, 1, 9, 9]]] }, SIDES).stored).toBeUndefined();
  expect(measureEdited(box, { ...box, color: "#000000" }, SIDES).stored).toBe("box");
});

test("keeps area and box of a shape that the server will refuse", () => {
  const broken = { ...imported, rings: [[[Number.NaN, 1, 9, 1, 9, 9]]] };
  expect(measureEdited(imported, broken, SIDES)).toMatchObject({ area: 12.5, bbox: [1, 2, 3, 4] });
});
