import { beforeEach, expect, test, vi } from "vitest";
import { sceneOf, TestEditor } from "../testEditor";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

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
