import { expect, test } from "vitest";
import type { Change } from "../../../../../shared/edits/edit";
import { rowsOf } from "../../../../../web/annotator/tree/rows";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../../testEditor";

/** Three annotations of two categories; an annotation before the last was deleted earlier. */
const scene = () => ({
  ...sceneOf([annotationOf(1), annotationOf(2, { category_id: 2 }), annotationOf(4)]),
  deleted: [[3, 1]] as [number, number][],
});

const numbersIn = ({ editor, annotations }: TestEditor) =>
  Object.fromEntries(annotations.map(({ uuid, id }) => [String(id), editor.layers.numberOf(uuid)]));

const theirs = (id: number, more: Partial<Change>): Change => ({
  ...{ image_revision: 9, subject: "annotation", subject_id: uuidOf(id), revision: 1, fields: {}, action: "create" },
  ...{ edit: null, client: "somebodyelse", user: "bob", ...more },
});

test("an annotation keeps its number when it gets another category and when others are deleted", () => {
  const desk = new TestEditor(scene());
  const numbers = { "1": 1, "2": 2, "4": 4 };
  expect(numbersIn(desk)).toEqual(numbers);
  desk.editor.categories.assign([uuidOf(4)], 2);
  expect(numbersIn(desk)).toEqual(numbers);
  desk.editor.actions.delete(uuidOf(1));
  expect(numbersIn(desk)).toEqual({ "2": 2, "4": 4 });
  desk.press("control", "z");
  expect(numbersIn(desk)).toEqual(numbers);
});

test("the list, the canvas and the search use the same number", () => {
  const { editor } = new TestEditor(scene());
  editor.layers.expand(1, true);
  editor.search.find("4");
  const { document, layers, search, selection } = editor;
  const rows = rowsOf(document.state, layers.state, search.state, selection.state);
  expect(rows.flatMap((row) => (row.kind === "annotation" ? [[row.annotation.id, row.number]] : []))).toEqual([[4, 4]]);
});

test("a new annotation has the next number, and keeps it when it is stored", async () => {
  const desk = new TestEditor(scene()).choose("BBox").drag([20, 10], [80, 60]);
  expect(numbersIn(desk)).toMatchObject({ null: 5 });
  desk.respond(desk.recorded[0]!, { status: "applied", id: 6, revision: 1 });
  await desk.settled();
  expect(numbersIn(desk)).toEqual({ "1": 1, "2": 2, "4": 4, "6": 5 });
});

test("other users' annotations and deletions move no number", () => {
  const desk = new TestEditor(scene());
  const { document } = desk.editor;
  document.applyRemote([theirs(7, { fields: { id: 7, category_id: 1 } as unknown as Change["fields"] })], 9);
  expect(numbersIn(desk)["4"]).toBe(4);
  document.applyRemote([theirs(2, { action: "delete", revision: 4 })], 10);
  expect(numbersIn(desk)["4"]).toBe(4);
});

test("an annotation that is restored has the number it had before", () => {
  const desk = new TestEditor(scene());
  desk.editor.document.rememberDeleted(annotationOf(3));
  desk.editor.document.applyRemote([theirs(3, { revision: 4 })], 9);
  expect(numbersIn(desk)).toEqual({ "1": 1, "2": 2, "3": 3, "4": 4 });
});
