// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { SaveLine } from "../../../../../web/annotator/ui/sidebar/SaveLine";
import { SaveButton } from "../../../../../web/annotator/ui/toolbar/SaveButton";
import { TestEditor } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

const WARNING = "This browser's storage does not respond. Changes that are not on the server yet may be lost.";

const container = document.body.appendChild(document.createElement("div"));
let root: Root;
let editor: TestEditor;
beforeEach(async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(container);
  editor = new TestEditor();
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <EditorProvider value={editor.editor}>
          <SaveLine />
          <SaveButton />
        </EditorProvider>
      </MantineProvider>,
    ),
  );
});
afterEach(() => act(async () => root.unmount()));

const line = () => container.querySelector("[role=status]");
const button = () => container.querySelector("button");
const saveState = () => editor.editor.parts.sink.state;

it("says that all is saved, which a save need not repeat", async () => {
  expect(line()?.textContent).toBe("Saved");
  expect(button()?.getAttribute("aria-label")).toBe("Saved on the server");
  await editor.editor.saving.save();
  expect(editor.messages).toEqual([]);
});

it("warns while the journal cannot be read, which may hold edits of earlier pages", async () => {
  await act(async () => saveState().setState({ isRead: true, isUnreadable: true }));
  expect(line()?.textContent).toBe("Storage does not respond");
  expect(line()?.getAttribute("title")).toBe(WARNING);
  expect(button()?.getAttribute("aria-label")).toBe(WARNING);
  await editor.editor.saving.save();
  expect(editor.messages).toEqual([`error: ${WARNING}`]);
  await act(async () => saveState().setState({ isUnreadable: false }));
  expect(line()?.textContent).toBe("Saved");
});

it("shows first that edits of this page are only in memory", async () => {
  await act(async () => saveState().setState({ isUnreadable: true, memoryOnly: true, pending: 1, status: "not kept" }));
  expect(line()?.textContent).toBe("Not saved: do not close this tab");
  expect(button()?.getAttribute("aria-label")).toContain("This browser cannot save your work.");
});
