import { expect, test } from "vitest";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

test("Ctrl+Enter marks the image as done with an edit, and opens the next image", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).press("control", "enter");
  expect(editor.recorded).toMatchObject([
    { subject: "image", image_id: 7, action: "modify", before: { done: false }, after: { done: true } },
  ]);
  expect(editor.wentTo).toEqual([8]);
});

test("Ctrl+Enter on the last image marks the image and stays; a done image is not marked again", () => {
  const scene = sceneOf();
  const editor = new TestEditor({ ...scene, image: { ...scene.image, next: null, done: true } });
  editor.press("control", "enter");
  expect([editor.recorded, editor.wentTo]).toEqual([[], []]);
  expect(editor.editor.ui.store.getState().message).toMatch(/last image/);
});

test("the done mark is removed by its key and by undo", () => {
  const editor = new TestEditor().press("shift", "d");
  expect(editor.editor.document.state.image.done).toBe(true);
  editor.press("control", "z");
  expect(editor.editor.document.state.image.done).toBe(false);
  editor.press("shift", "d").press("shift", "d");
  expect(editor.recorded.map(({ after }) => after)).toEqual([
    { done: true },
    { done: false },
    { done: true },
    { done: false },
  ]);
});

test("a number opens that image of the list, and a number beyond the end of the list shows a message", async () => {
  const editor = new TestEditor();
  const { image } = sceneOf();
  editor.listed = [image, { ...image, id: 20 }, { ...image, id: 30 }];
  await editor.editor.progress.goToNumber(3);
  await editor.editor.progress.goToNumber(1);
  await editor.editor.progress.goToNumber(9);
  expect(editor.wentTo).toEqual([30]);
  expect(editor.editor.ui.store.getState().message).toBe("The list has no image 9");
});
