import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

const OTHER = [300, 100, 400, 100, 400, 200, 300, 200];

test("Shift+C adds the annotations of the previous image that are missing on this image, in one step, and selects them", async () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.scenes.set(6, sceneOf([annotationOf(11), annotationOf(12, { rings: [[OTHER]] })]));
  await editor.press("shift", "c").settled();
  expect(editor.annotations.map(({ rings }) => rings?.[0]?.[0]?.[0])).toEqual([100, 300]);
  expect(editor.editor.selection.state.annotation).toBe(editor.annotations[1]?.uuid);
  expect(editor.annotations[1]?.uuid).not.toBe(uuidOf(12));
  expect(editor.editor.ui.store.getState().message).toBe("1 annotation copied, 1 already there");
  editor.press("control", "z");
  expect(editor.annotations).toHaveLength(1);
});

test("a previous image that has a different size, is empty, missing or does not exist adds nothing and shows the reason", async () => {
  const editor = new TestEditor();
  await editor.press("shift", "c").settled();
  expect(editor.messages).toEqual(["error: No image has this ID, or you have no access to it."]);
  const scene = sceneOf([annotationOf(11)]);
  editor.scenes.set(6, { ...scene, image: { ...scene.image, width: 100 } });
  await editor.press("shift", "c").settled();
  expect(editor.messages[1]).toMatch(/a different size/);
  editor.scenes.set(6, sceneOf([]));
  await editor.press("shift", "c").settled();
  expect(editor.editor.ui.store.getState().message).toBe("The previous image has no annotations");
  const alone = sceneOf();
  const first = new TestEditor({ ...alone, image: { ...alone.image, previous: null } });
  await first.press("shift", "c").settled();
  expect(first.editor.ui.store.getState().message).toBe("This is the first image of the list");
  expect([...editor.recorded, ...first.recorded]).toEqual([]);
});

test("annotations that arrive after the image was left are not added", async () => {
  const editor = new TestEditor();
  editor.scenes.set(6, sceneOf([annotationOf(11)]));
  editor.press("shift", "c").editor.leave();
  await editor.settled();
  expect(editor.recorded).toEqual([]);
});
