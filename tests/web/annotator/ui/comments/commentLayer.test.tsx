// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { CommentLayer } from "../../../../../web/annotator/ui/comments/CommentLayer";
import { CommentList } from "../../../../../web/annotator/ui/comments/CommentList";
import { sceneOf, TestEditor } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});
vi.mock("../../../../../web/io/http/request", () => ({ request: () => Promise.reject(new Error("offline")) }));

const container = document.body.appendChild(document.createElement("div"));
const root = createRoot(container);
beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  Object.assign(document, { fonts: new EventTarget() });
  window.matchMedia ??= () =>
    ({
      matches: false,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
    }) as never;
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  } as never;
});
afterEach(() => act(() => root.render(null)));

const all = <E extends Element>(selector: string) => [...container.querySelectorAll<E>(selector)];
const button = (name: string) =>
  all<HTMLButtonElement>("button").find(
    (each) => each.getAttribute("aria-label")?.startsWith(name) || each.textContent === name,
  );
const click = (name: string) => act(() => button(name)?.click());
const type = (text: string) =>
  act(() => {
    const field = all<HTMLTextAreaElement>("textarea").find((each) => each.getAttribute("aria-label") !== null)!;
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field, text);
    field.setSelectionRange(text.length, text.length);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
const press = (key: string, more: KeyboardEventInit = {}) =>
  act(() => {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  });

async function open(): Promise<TestEditor> {
  const test = new TestEditor();
  await act(() =>
    root.render(
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient()}>
          <EditorProvider value={test.editor}>
            <CommentLayer />
            <CommentList />
          </EditorProvider>
        </QueryClientProvider>
      </MantineProvider>,
    ),
  );
  return test;
}

test("shows nothing on an image without comments", async () => {
  await open();
  expect(all("button, section, textarea")).toEqual([]);
});

test("begins a thread, shows its pin and its row, replies, resolves and reopens it", async () => {
  const { editor, recorded } = await open();
  await act(() => editor.comments.placeAt({ x: 5, y: 5 }));
  await type("<img src=x onerror=alert(1)>");
  await press("Enter", { ctrlKey: true });
  expect(button("Thread 1")?.textContent).toBe("1");
  expect(all("p[dir=auto]").map((each) => each.textContent)).toEqual(["<img src=x onerror=alert(1)>"]);
  expect(all("img")).toEqual([]);
  await type("Second");
  await click("Reply");
  expect(all("p[dir=auto]").map((each) => each.textContent)).toContain("Second");
  await click("Resolve");
  expect(button("Thread 1")).toBeUndefined();
  expect(recorded.map(({ action }) => action)).toEqual(["create", "create", "modify"]);
  await act(() => all<HTMLInputElement>("input[type=checkbox]")[0]?.click());
  expect(button("Thread 1, 2 comments, resolved")).toBeDefined();
});

test("keeps a draft when Escape closes the thread, and sends no empty text", async () => {
  const { editor, recorded } = await open();
  await act(() => editor.comments.placeAt({ x: 5, y: 5 }));
  await type("  ");
  await press("Enter", { ctrlKey: true });
  expect(recorded).toEqual([]);
  await type("First");
  await press("Enter", { ctrlKey: true });
  await type("half a thou");
  await press("Escape");
  expect(all("textarea")).toEqual([]);
  await click("Thread 1");
  expect(all<HTMLTextAreaElement>("textarea").map(({ value }) => value)).toContain("half a thou");
});

const shownTo = (edit: boolean) => {
  const scene = sceneOf();
  return { ...scene, permissions: { ...scene.permissions, dataset: { ...scene.permissions.dataset, edit } } };
};

test("keeps the text of a user who may no longer write comments", async () => {
  const { editor, recorded } = await open();
  const setRole = (edit: boolean) => act(() => editor.document.replace(shownTo(edit)));
  await act(() => editor.comments.placeAt({ x: 5, y: 5 }));
  await type("Half a thought");
  await setRole(false);
  await click("Comment");
  expect(all<HTMLTextAreaElement>("textarea").map(({ value }) => value)).toEqual(["Half a thought"]);
  expect(editor.comments.draftOf("begun")).toBe("Half a thought");
  expect(editor.ui.store.getState().message).toBe("You can look at this dataset but not change it.");
  await setRole(true);
  await click("Comment");
  expect(recorded.map(({ after }) => after)).toMatchObject([{ text: "Half a thought" }]);
  expect(editor.comments.draftOf("begun")).toBe("");
});
