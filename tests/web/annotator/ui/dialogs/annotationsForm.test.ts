import { expect, test } from "vitest";
import { changeOfAll, sharedCategory } from "../../../../../web/annotator/ui/dialogs/annotationsForm";

test("only fields that are set in the form change, and other metadata entries stay", () => {
  const annotation = { metadata: { name: "first", age: 3, side: "left" } };
  expect(changeOfAll({ color: "", categoryId: null, rows: [] }, annotation)).toEqual({});
  const rows = [
    { key: "age", text: "4" },
    { key: "seen", text: "true" },
  ];
  expect(changeOfAll({ color: "#ABCDEF", categoryId: 2, rows }, annotation)).toEqual({
    color: "#abcdef",
    category_id: 2,
    metadata: { name: "first", age: 4, side: "left", seen: true },
  });
});

test("the shared category is null if the annotations have different categories", () => {
  expect(sharedCategory([{ category_id: 1 }, { category_id: 1 }])).toBe(1);
  expect(sharedCategory([{ category_id: 1 }, { category_id: 2 }])).toBeNull();
  expect(sharedCategory([])).toBeNull();
});
