// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AnnotatorScene } from "../../../../../shared/api/annotator";
import { EditorProvider } from "../../../../../web/annotator/editor/context";
import { Dialogs } from "../../../../../web/annotator/ui/dialogs/Dialogs";
import { eventually } from "../../../../support/eventually";
import { makePage } from "../../../../support/renderedPage";
import { NOSE, pointAt, poseScene } from "../../poseScene";
import { annotationOf, TestEditor, uuidOf } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

let page: ReturnType<typeof makePage>;

beforeEach(() => {
  page = makePage(() => ({ success: true }));
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
