import { expect, it } from "vitest";
import { exportQuery, INITIAL_VALUES, problemOfSplit } from "../../../../../web/pages/dataset/export/exportValues";

it("omits unset options from the call", () => {
  expect(exportQuery(INITIAL_VALUES)).toEqual({
    format: "coco",
    categories: [],
    with_empty_images: false,
    with_images: false,
  });
  expect(exportQuery({ ...INITIAL_VALUES, onlyAccepted: true })).toMatchObject({ only_accepted: true });
  const wish = { ...INITIAL_VALUES, folder: " a/b ", isSplit: true, segmentation: "rle" as const, categories: [3] };
  expect(exportQuery(wish)).toMatchObject({
    folder: "a/b",
    split: "80,10,10",
    seed: "0",
    segmentation: "rle",
    categories: [3],
  });
  expect(exportQuery({ ...wish, format: "voc" })).not.toHaveProperty("segmentation");
});

it("shares must sum to 100% when images are split into sets", () => {
  const shares = { train: 70, val: 10, test: "" };
  expect(problemOfSplit({ ...INITIAL_VALUES, shares })).toBeUndefined();
  expect(problemOfSplit({ ...INITIAL_VALUES, shares, isSplit: true })).toBe("The shares add up to 80%, not 100%.");
  expect(
    problemOfSplit({ ...INITIAL_VALUES, shares: { train: 33.3, val: 33.3, test: 33.4 }, isSplit: true }),
  ).toBeUndefined();
});
