// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AnnotatorScene } from "../../../../../shared/api/annotator";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { Dialogs } from "../../../../../web/annotator/ui/dialogs/Dialogs";
import { eventually } from "../../../../support/eventually";
import { makePage, typeInto } from "../../../../support/renderedPage";
import { NOSE, pointAt, poseScene } from "../../poseScene";
import { annotationOf, TestEditor, uuidOf } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

let page: ReturnType<typeof makePage>;
let sent: unknown[];

beforeEach(() => {
  sent = [];
  page = makePage((call, body) => {
    if (call.startsWith("POST /api/dataset/")) sent.push(body);
    return { success: true };
  });
});
afterEach(() => page.close());

const posed = poseScene([annotationOf(1, { keypoints: [pointAt(NOSE, 110, 110)] })]);

function open(scene: AnnotatorScene): TestEditor["editor"] {
  const { editor } = new TestEditor(scene);
  page.show(
    <EditorProvider value={editor}>
      <Dialogs />
    </EditorProvider>,
  );
  return editor;
}
const isShown = () => eventually(() => expect(page.dialog()).toBeDefined());
const isClosed = (editor: TestEditor["editor"]) =>
  eventually(() => expect([editor.ui.store.getState().dialog, page.dialog()]).toEqual([null, undefined]));

it("the dialog of a keypoint closes when another user deletes the annotation", async () => {
  const editor = open(posed);
  editor.selection.selectAnnotation(editor.document.annotation(uuidOf(1)));
  editor.ui.open({ kind: "keypoint", uuid: uuidOf(1), label: NOSE });
  await isShown();
  editor.document.replace(poseScene());
  await isClosed(editor);
});

it("the dialog of a keypoint closes when another user removes its label from the category", async () => {
  const editor = open(posed);
  editor.selection.selectAnnotation(editor.document.annotation(uuidOf(1)));
  editor.ui.open({ kind: "keypoint", uuid: uuidOf(1), label: NOSE });
  await isShown();
  const { categories } = posed;
  const none = { keypoint_labels: [], keypoint_label_ids: [], keypoint_colors: [], keypoint_edges: [] };
  editor.document.replace({ ...posed, categories: categories.map((each) => ({ ...each, ...none })) });
  await isClosed(editor);
});

it("the settings of a category close when another user removes the category from the dataset", async () => {
  const editor = open(posed);
  editor.ui.open({ kind: "category", id: 2 });
  await isShown();
  editor.document.replace({ ...posed, categories: posed.categories.filter(({ id }) => id !== 2) });
  await isClosed(editor);
});

it("the settings of the image leave an annotate URL alone that another user has changed meanwhile", async () => {
  const editor = open({ ...posed, dataset: { ...posed.dataset, annotate_url: "https://old" } });
  editor.ui.open({ kind: "image settings" });
  const simplify = await page.field("Simplify");
  editor.document.putDataset({ annotate_url: "https://new" });
  typeInto(simplify, "3");
  await page.press("Apply");
  await isClosed(editor);
  expect([sent, editor.settings.state.simplify]).toEqual([[], 3]);
  expect(editor.document.state.dataset.annotate_url).toBe("https://new");
  editor.ui.open({ kind: "image settings" });
  typeInto(await page.field("Annotate API"), "https://mine");
  await page.press("Apply");
  await isClosed(editor);
  expect(sent).toEqual([{ annotate_url: "https://mine" }]);
});
