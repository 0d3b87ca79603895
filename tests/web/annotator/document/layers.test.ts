import { beforeEach, expect, test, vi } from "vitest";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

const twoColors = () => sceneOf([annotationOf(1, { color: "#123456" }), annotationOf(2, { color: "#654321" })]);

test("expanding or collapsing a category recolours nothing", () => {
  const { editor, annotations } = new TestEditor(twoColors());
  const colors = () => annotations.map((each) => editor.layers.colorOf(each));
  const category = editor.document.category(1)?.color;
  editor.layers.expand(1, false);
  expect(colors()).toEqual([category, category]);
  editor.layers.expand(1, true);
  expect(colors()).toEqual([category, category]);
});

test("shapes are coloured by annotation if the user chooses that, on every image opened in this browser", () => {
  const { editor, annotations } = new TestEditor(twoColors());
  editor.layers.setColorBy("annotation");
  expect(annotations.map((each) => editor.layers.colorOf(each))).toEqual(["#123456", "#654321"]);
  const next = new TestEditor(twoColors());
  expect(next.annotations.map((each) => next.editor.layers.colorOf(each))).toEqual(["#123456", "#654321"]);
  next.editor.list.find(({ id }) => id === "color by")?.run();
  expect(new TestEditor(twoColors()).editor.layers.state.colorBy).toBe("category");
});
