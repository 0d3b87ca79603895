import { expect, test } from "vitest";
import { changeOf, formOf } from "../../../../../web/annotator/ui/dialogs/annotationForm";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../../testEditor";

const METADATA = { name: "left", code: "007", deep: { a: [1, null] }, size: 2.5, ok: true };

test("applying unchanged settings changes nothing", () => {
  const desk = new TestEditor(sceneOf([annotationOf(1, { metadata: METADATA })]));
  const [before] = desk.annotations;
  desk.editor.commands.modify(uuidOf(1), changeOf(formOf(before!), before!, before!), "Change");
  expect(desk.recorded).toEqual([]);
  for (const name of [5, null, ["x"], { y: 1 }, "", "  padded "]) {
    const annotation = annotationOf(1, { metadata: { name } });
    expect(changeOf(formOf(annotation), annotation, annotation).metadata).toStrictEqual({ name });
  }
});

test("changing name, colour, category and metadata together makes one edit and one undo step", () => {
  const desk = new TestEditor(sceneOf([annotationOf(1, { metadata: METADATA })]));
  const [before] = desk.annotations;
  const form = formOf(before!);
  const rows = [...form.rows.filter(({ key }) => key !== "size"), { key: "count", text: "12" }];
  const change = changeOf({ name: " right ", color: "#ABCDEF", categoryId: 2, rows }, before!, before!);
  desk.editor.commands.modify(uuidOf(1), change, "Change");
  expect(desk.recorded).toHaveLength(1);
  expect(desk.annotations[0]).toMatchObject({
    category_id: 2,
    color: "#abcdef",
    metadata: { name: "right", code: "007", deep: { a: [1, null] }, ok: true, count: 12 },
  });
  desk.press("control", "z");
  expect(desk.annotations[0]).toMatchObject({ category_id: 1, color: "#ff0000", metadata: METADATA });
});

test("a name is stored as text, and an empty name is removed", () => {
  const annotation = annotationOf(1, { metadata: METADATA });
  const named = (name: string) => changeOf({ ...formOf(annotation), name }, annotation, annotation).metadata?.name;
  expect(named("12")).toBe("12");
  expect(named("true")).toBe("true");
  expect(named("  ")).toBeUndefined();
});

test("remote changes while the settings are open are kept", () => {
  const before = annotationOf(1, { metadata: METADATA });
  const now = annotationOf(1, { metadata: { ...METADATA, theirs: 1, code: "008" }, color: "#00ff00", category_id: 2 });
  const form = { ...formOf(before), name: "mine" };
  expect(changeOf(form, before, now)).toEqual({
    metadata: { ...METADATA, name: "mine", theirs: 1, code: "008" },
  });
});

test("F2 opens the settings of the selected annotation, and does nothing without a selection", () => {
  const desk = new TestEditor(sceneOf([annotationOf(1)]));
  expect(desk.press("f2").editor.ui.store.getState().dialog).toBeNull();
  desk.click(150, 150).press("f2");
  expect(desk.editor.ui.store.getState().dialog).toEqual({ kind: "annotation", uuid: uuidOf(1) });
});
