import { expect, test } from "vitest";
import { eventually } from "../../../support/eventually";
import { poseScene } from "../poseScene";
import { stubLocalStorage } from "../stubLocalStorage";
import { sceneOf, TestEditor } from "../testEditor";

stubLocalStorage();

test("choosing a tool without a category asks for a category, and chooses the tool once the category exists", () => {
  const editor = new TestEditor({ ...sceneOf(), categories: [] });
  editor.choose("Polygon");
  const { dialog } = editor.editor.ui.store.getState();
  expect(dialog).toMatchObject({ kind: "new category", needed: true });
  expect(editor.editor.toolbox.tool.name).toBe("Select");
  editor.editor.document.putCategory({ ...sceneOf().categories[0]!, id: 7 });
  editor.editor.selection.selectCategory(7);
  if (dialog?.kind === "new category") dialog.onCreated?.();
  expect(editor.editor.toolbox.tool.name).toBe("Polygon");
  expect(editor.selected?.category_id).toBe(7);
});

test("a new annotation activates the drawing tool that this browser used last", () => {
  new TestEditor().choose("Brush").choose("Select");
  expect(localStorage.getItem("editorTool")).toBe("Brush");
  const { editor } = new TestEditor().press(" ");
  expect(editor.toolbox.tool.name).toBe("Brush");
});

test("a tool name stored by an older client is used, and an unknown name is ignored", () => {
  localStorage.setItem("editorTool", "Magic Wand");
  expect(new TestEditor().press(" ").editor.toolbox.tool.name).toBe("Magic Wand");
  localStorage.setItem("editorTool", "Chainsaw");
  expect(new TestEditor().press(" ").editor.toolbox.tool.name).toBe("Polygon");
});

test("the previous image's tool writes nothing until the first press, which begins an annotation", () => {
  const editor = new TestEditor();
  editor.editor.creating.continueTool("BBox");
  expect(editor.toolState).toBe("bbox.idle");
  expect(editor.recorded).toEqual([]);
  editor.drag([10, 10], [60, 50]);
  expect(editor.annotations).toMatchObject([
    { category_id: 1, isbbox: true, rings: [[[10, 10, 60, 10, 60, 50, 10, 50]]] },
  ]);
});

test.each(["Brush", "Magic Wand", "Keypoints", "Polygon"] as const)(
  "%s of the previous image draws into a new annotation",
  async (tool) => {
    const editor = new TestEditor(poseScene());
    editor.editor.creating.continueTool(tool);
    editor.clicks([10, 10], [90, 10], [90, 90]).press("enter");
    await eventually(() =>
      expect(editor.annotations.map(({ rings, keypoints }) => !!(rings?.length || keypoints?.length))).toEqual([true]),
    );
  },
);

test("the eraser is not continued on the next image, nor any tool in label mode or without a category", () => {
  const editor = new TestEditor();
  editor.editor.creating.continueTool("Eraser");
  editor.editor.creating.continueTool(null);
  expect(editor.editor.toolbox.tool.name).toBe("Select");
  editor.editor.actions.toggleMode();
  editor.editor.creating.continueTool("BBox");
  expect(editor.editor.toolbox.tool.name).toBe("Select");
  const empty = new TestEditor({ ...sceneOf(), categories: [] });
  empty.editor.creating.continueTool("BBox");
  expect(empty.editor.toolbox.tool.name).toBe("Select");
});

test("Escape leaves a tool that was continued and has nothing to cancel", () => {
  const editor = new TestEditor();
  editor.editor.creating.continueTool("BBox");
  editor.press("escape");
  expect(editor.editor.toolbox.tool.name).toBe("Select");
});
