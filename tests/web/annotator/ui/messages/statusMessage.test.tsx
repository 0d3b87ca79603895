// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, it, vi } from "vitest";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { StatusMessage } from "../../../../../web/annotator/ui/messages/StatusMessage";
import { TestEditor } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

const container = document.body.appendChild(document.createElement("div"));
const root = createRoot(container);
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});

const isShown = () => container.querySelector("[role=status]")?.hasAttribute("data-shown");
const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

it("shows a message for as long as it takes to read it", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { editor } = new TestEditor();
  await act(async () =>
    root.render(
      <EditorProvider value={editor}>
        <StatusMessage />
      </EditorProvider>,
    ),
  );
  const show = (message: string) => act(async () => editor.ui.showMessage(message));
  await show("Saved");
  await pass(2_400);
  expect(isShown()).toBe(true);
  await pass(200);
  expect(isShown()).toBe(false);
  await show("letter".repeat(20));
  await pass(7_100);
  expect(isShown()).toBe(true);
  await pass(200);
  expect(isShown()).toBe(false);
  await show("字".repeat(40));
  await pass(7_100);
  expect(isShown()).toBe(true);
});
