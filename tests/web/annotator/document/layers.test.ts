import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

test("annotations of a collapsed category have its colour, those of an expanded one their own", () => {
  const { editor, annotations } = new TestEditor(
    sceneOf([annotationOf(1, { color: "#123456" }), annotationOf(2, { color: "#654321" })]),
  );
  const colors = () => annotations.map((each) => editor.layers.colorOf(each));
  const category = editor.document.category(1)?.color;
  editor.layers.expand(1, false);
  expect(colors()).toEqual([category, category]);
  editor.layers.expand(1, true);
  expect(colors()).toEqual(["#123456", "#654321"]);
});
