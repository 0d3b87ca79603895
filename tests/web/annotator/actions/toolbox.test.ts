import { beforeEach, expect, test, vi } from "vitest";
import { TestEditor } from "../testEditor";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

test("a new annotation activates the drawing tool that this browser used last", () => {
  new TestEditor().choose("Brush").choose("Select");
  expect(localStorage.getItem("editorTool")).toBe("Brush");
  const { editor } = new TestEditor().press(" ");
  expect(editor.toolbox.tool.name).toBe("Brush");
});

test("a tool stored by an older client is used, and an unknown one ignored", () => {
  localStorage.setItem("editorTool", "Magic Wand");
  expect(new TestEditor().press(" ").editor.toolbox.tool.name).toBe("Magic Wand");
  localStorage.setItem("editorTool", "Chainsaw");
  expect(new TestEditor().press(" ").editor.toolbox.tool.name).toBe("Polygon");
});
