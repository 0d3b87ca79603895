// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { ListPosition } from "../../../../../web/annotator/ui/sidebar/ListPosition";
import { eventually } from "../../../../support/eventually";
import { makePage, typeInto } from "../../../../support/renderedPage";
import { TestEditor } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

let page: ReturnType<typeof makePage>;
let editor: TestEditor;
/** Sends the response. */
let respond: () => void;

beforeEach(() => {
  page = makePage((call) => (call.includes("/annotator/place/") ? { before: 4, total: 128 } : undefined));
  const send = globalThis.fetch;
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  vi.stubGlobal("fetch", async (...given: Parameters<typeof fetch>) => {
    await held;
    return send(...given);
  });
  editor = new TestEditor();
  page.show(
    <EditorProvider value={editor.editor}>
      <ListPosition />
      <input aria-label="other" />
    </EditorProvider>,
  );
});
afterEach(() => page.close());

const field = () => document.querySelector<HTMLInputElement>("input[aria-label^=Number]");
const isAsking = () => editor.editor.ui.store.getState().isAskingForNumber;

it("asks for a number while the place of the image is still unknown, and leaves the typed text alone", async () => {
  await eventually(() => expect(document.querySelector("input")).not.toBeNull());
  editor.press("shift", "i");
  await eventually(() => expect(document.activeElement).toBe(field()));
  expect(field()?.getAttribute("aria-label")).toBe("Number of the image to open");
  typeInto(field()!, "7");
  respond();
  await eventually(() => expect(field()?.getAttribute("aria-label")).toBe("Number of the image to open, 1 to 128"));
  expect(field()?.value).toBe("7");
});

it("shows no field later, when the user has gone on before the place is known", async () => {
  editor.press("shift", "i");
  await eventually(() => expect(document.activeElement).toBe(field()));
  document.querySelector<HTMLInputElement>("input[aria-label=other]")?.focus();
  await eventually(() => expect(field()).toBeNull());
  respond();
  await eventually(() => expect(document.querySelector("button")?.textContent).toBe("5 / 128"));
  expect([isAsking(), document.activeElement?.getAttribute("aria-label")]).toEqual([false, "other"]);
});
