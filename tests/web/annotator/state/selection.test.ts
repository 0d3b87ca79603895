import { expect, test } from "vitest";
import { Selection } from "../../../../web/annotator/state/selection";

const annotation = (uuid: string, category_id = 1) => ({ uuid, category_id });

test("selecting the same annotations again keeps the set, so that no shape is marked again", () => {
  const selection = new Selection();
  selection.selectAnnotations([annotation("a"), annotation("b"), annotation("c")]);
  const { all } = selection.state;
  selection.selectAnnotations([annotation("a", 2), annotation("b", 2), annotation("c", 2)]);
  expect(selection.state.all).toBe(all);
  expect(selection.state.category).toBe(2);
  selection.selectAnnotations([annotation("a"), annotation("b"), annotation("d")]);
  expect([...selection.state.all]).toEqual(["a", "b", "d"]);
  selection.selectAnnotations([annotation("a"), annotation("b")]);
  expect([...selection.state.all]).toEqual(["a", "b"]);
});
