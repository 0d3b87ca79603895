// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { CopyDialog } from "../../../../../web/annotator/ui/dialogs/CopyDialog";
import { eventually } from "../../../../support/eventually";
import { annotationOf, sceneOf, TestEditor } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

let root: Root;
beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  } as never;
  Object.assign(document, { fonts: new EventTarget() });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => act(async () => root.unmount()));

const shows = (text: string) =>
  eventually(async () => {
    await act(async () => undefined);
    expect(document.body.textContent).toContain(text);
  });

async function open(editor: TestEditor): Promise<void> {
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient()}>
          <EditorProvider value={editor.editor}>
            <CopyDialog />
          </EditorProvider>
        </QueryClientProvider>
      </MantineProvider>,
    ),
  );
}

const enter = (id: string) =>
  act(async () => {
    const field = document.querySelector<HTMLInputElement>("input[inputmode=numeric]") ?? expect.unreachable();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, id);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

it("offers and copies annotations of an image that are only in this browser", async () => {
  const editor = new TestEditor();
  // The editor loads images with pending edits.
  const scene = sceneOf([annotationOf(3, { id: null, image_id: 5, revision: 0 })]);
  editor.scenes.set(5, { ...scene, image: { ...scene.image, id: 5, file_name: "5.jpg" } });
  await open(editor);
  await enter("5");
  await shows("5.jpg: 1 annotation to copy");
  await act(async () => document.querySelector("form")?.requestSubmit());
  await eventually(async () => {
    await act(async () => undefined);
    expect(editor.annotations).toMatchObject([
      { image_id: 7, category_id: 1, rings: scene.categories[0]?.annotations[0]?.rings },
    ]);
  });
});
