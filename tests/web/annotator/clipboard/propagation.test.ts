import { expect, test, vi } from "vitest";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { ImageSummary } from "../../../../shared/entities/image";
import { type LastPropagation, lastPropagationOf } from "../../../../web/annotator/clipboard/Propagated";
import type { Target } from "../../../../web/annotator/clipboard/Propagation";
import { eventually } from "../../../support/eventually";
import { annotationOf, SQUARE, sceneOf, TestEditor } from "../testEditor";

const OTHER = [300, 100, 400, 100, 400, 200, 300, 200];

const imageOf = (id: number, size: Partial<ImageSummary> = {}): ImageSummary => ({
  ...{ id, file_name: `${id}.jpg`, path: `${id}.jpg`, width: 640, height: 480, annotating: [] },
  ...{ annotated: false, num_annotations: 0, done: false, stage: "open" as const },
  ...size,
});

/** Returns the scene of an image of the list. */
function sceneAt(image: ImageSummary, annotations: Annotation[] = []) {
  const scene = sceneOf(annotations.map((annotation) => ({ ...annotation, image_id: image.id })));
  return { ...scene, image: { ...scene.image, ...image } };
}

/** An editor with a selected annotation on image 7, and a list: image 7, then images with the given annotations. */
function editorWith(following: Annotation[][], size: Partial<ImageSummary> = {}, last?: LastPropagation): TestEditor {
  const editor = new TestEditor(sceneOf([annotationOf(1)]), [], undefined, last);
  editor.press("control", "a");
  const images = following.map((_, index) => imageOf(8 + index, size));
  editor.listed = [imageOf(7), ...images];
  for (const [index, image] of images.entries()) editor.scenes.set(image.id, sceneAt(image, following[index]));
  return editor;
}

async function targetsOf({ editor }: TestEditor, count: number): Promise<Target[]> {
  const { images } = await editor.propagation.next(count);
  const targets: Target[] = [];
  await editor.propagation.load(images, (target) => targets.push(target), new AbortController().signal);
  return targets;
}

async function propagate(editor: TestEditor, count: number, skips = false): Promise<void> {
  const { propagation } = editor.editor;
  const targets = await targetsOf(editor, count);
  const copied = propagation.copied();
  await propagation.apply(
    targets.flatMap((target) =>
      target.document
        ? [{ document: target.document, annotations: propagation.copiesFor(target, copied, skips).annotations }]
        : [],
    ),
  );
}

/** Opens an image of the list as the page of another editor does, as the server has stored it. */
function open(editor: TestEditor, id: number): TestEditor {
  const opened = new TestEditor(editor.scenes.get(id), [], undefined, editor.lastPropagation);
  for (const [other, scene] of editor.scenes) opened.scenes.set(other, scene);
  return opened;
}

/** Holds back the scene of another image until the returned function is called, and resolves once it is wanted. */
function holdScene({ editor: { parts } }: TestEditor, id: number): { wanted: Promise<void>; release: () => void } {
  const { loadScene } = parts;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const wanted = new Promise<void>((resolve) => {
    parts.loadScene = async (other) => {
      if (other !== id) return loadScene(other);
      resolve();
      await released;
      return loadScene(other);
    };
  });
  return { wanted, release };
}

const deletionsOf = (editor: TestEditor) =>
  editor.recorded.filter(({ action }) => action === "delete").map(({ image_id }) => image_id);

/**
 * Stores the recorded edits in the scenes of other images, as the server does. Returns the number of annotations of
 * each scene.
 */
function store(editor: TestEditor): number[] {
  for (const edit of editor.recorded.splice(0)) {
    const scene = editor.scenes.get(edit.image_id);
    if (!scene || edit.subject !== "annotation") continue;
    const [category, ...others] = scene.categories;
    if (!category) continue;
    const rest = category.annotations.filter(({ uuid }) => uuid !== edit.target);
    const made = { ...annotationOf(0, { uuid: edit.target, image_id: edit.image_id, revision: 1 }), ...edit.after };
    const annotations = edit.action === "delete" ? rest : [...rest, made];
    editor.scenes.set(edit.image_id, { ...scene, categories: [{ ...category, annotations }, ...others] });
  }
  return [...editor.scenes.values()].map((scene) => scene.categories[0]?.annotations.length ?? 0);
}

test("Ctrl+B opens the dialog for selected annotations, and shows the reason without a selection or on the last image", async () => {
  const editor = editorWith([[], []]);
  editor.press("control", "b");
  expect(editor.editor.ui.store.getState().dialog).toEqual({ kind: "propagate" });
  const empty = new TestEditor(sceneOf([annotationOf(1)])).press("control", "b");
  expect(empty.editor.ui.store.getState().message).toBe("No annotation is selected");
  const scene = sceneOf([annotationOf(1)]);
  const last = new TestEditor({ ...scene, image: { ...scene.image, next: null } }).press("control", "a");
  last.press("control", "b");
  expect(last.editor.ui.store.getState().message).toBe("This is the last image of the list");
});

test("Ctrl+B during a computation opens the dialog afterwards, unless the user has gone on to something else", async () => {
  const dialogAfter = async (goOn: (editor: TestEditor) => void) => {
    const [one, two] = [annotationOf(1), annotationOf(2, { rings: [[OTHER]] })];
    const editor = new TestEditor(sceneOf([one, two])).click(150, 150);
    const finish = editor.holdBack();
    goOn(editor.press("control", "b"));
    await finish();
    return editor.editor.ui.store.getState().dialog;
  };
  expect(await dialogAfter(() => {})).toEqual({ kind: "propagate" });
  expect(await dialogAfter((editor) => editor.click(350, 150))).toBeNull();
  expect(await dialogAfter((editor) => editor.choose("Polygon").clicks([500, 300], [560, 300]))).toBeNull();
  expect(await dialogAfter((editor) => editor.choose("Brush").drag([500, 300], [520, 300]))).toBeNull();
  expect(await dialogAfter(({ editor }) => editor.ui.open({ kind: "help" }))).toEqual({ kind: "help" });
});

test("Ctrl+B opens the dialog at once over an unfinished outline, as long as nothing is computed", () => {
  const editor = editorWith([[]]).choose("Polygon").clicks([500, 300], [560, 300]);
  expect(editor.press("control", "b").editor.ui.store.getState().dialog).toEqual({ kind: "propagate" });
});

test("annotations are propagated with all fields to the next images of the list, and one undo reverts this", async () => {
  const editor = editorWith([[], [annotationOf(21, { rings: [[OTHER]] })], []]);
  await propagate(editor, 2);
  expect(editor.recorded.map(({ image_id, action, after }) => [image_id, action, after])).toEqual(
    [8, 9].map((id) => [
      id,
      "create",
      {
        attributes: {},
        category_id: 1,
        rings: [[SQUARE]],
        isbbox: false,
        color: "#ff0000",
        metadata: {},
        keypoints: null,
      },
    ]),
  );
  expect(editor.annotations).toHaveLength(1);
  expect(store(editor)).toEqual([1, 2, 0]);
  editor.press("control", "z");
  await editor.settled();
  expect(store(editor)).toEqual([0, 1, 0]);
  expect(editor.editor.ui.store.getState().message).toBe("2 annotations removed from 2 images.");
  editor.press("control", "shift", "z");
  await editor.settled();
  expect(store(editor)).toEqual([1, 2, 0]);
});

test("undo keeps annotations that were changed since, and images that could not be loaded can be tried again", async () => {
  const editor = editorWith([[], [], []]);
  await propagate(editor, 3);
  store(editor);
  const [changed, absent] = [editor.scenes.get(8)!, editor.scenes.get(9)!];
  const category = changed.categories[0]!;
  const annotations = category.annotations.map((annotation) => ({ ...annotation, rings: [[OTHER]], revision: 2 }));
  editor.scenes.set(8, { ...changed, categories: [{ ...category, annotations }] });
  editor.scenes.delete(9);
  editor.actions.at(-1)?.onClick();
  await editor.settled();
  expect(editor.messages.at(-1)).toContain("1 annotation removed from 1 image.");
  expect(editor.messages.at(-1)).toContain("1 annotation kept");
  expect(editor.messages.at(-1)).toContain("1 image could not be loaded");
  editor.scenes.set(9, absent);
  editor.editor.propagation.undoLast();
  await editor.settled();
  expect(store(editor)).toEqual([1, 0, 0]);
  editor.editor.propagation.undoLast();
  expect(editor.editor.ui.store.getState().message).toBe("There is no propagation to undo");
});

test("a propagation can be undone from an image that it has changed", async () => {
  const editor = editorWith([[], []]);
  await propagate(editor, 2);
  store(editor);
  editor.editor.leave();
  const there = open(editor, 8);
  expect(there.annotations).toHaveLength(1);
  there.editor.propagation.undoLast();
  await there.settled();
  expect(there.annotations).toHaveLength(0);
  expect(there.recorded.map(({ image_id, action }) => [image_id, action])).toEqual([
    [8, "delete"],
    [9, "delete"],
  ]);
});

test("undo also reverts the image that it was started on if the image is left before its turn", async () => {
  const editor = editorWith([[], []]);
  await propagate(editor, 2);
  store(editor);
  const there = open(editor, 9);
  const held = holdScene(there, 8);
  there.editor.propagation.undoLast();
  await held.wanted;
  there.editor.close();
  held.release();
  await eventually(() => expect(deletionsOf(there)).toEqual([8, 9]));
});

test("undo and redo change an image that is opened meanwhile in its editor", async () => {
  const editor = editorWith([[], []]);
  await propagate(editor, 2);
  store(editor);
  const undone = holdScene(editor, 8);
  editor.press("control", "z");
  await undone.wanted;
  const there = open(editor, 9);
  expect(there.annotations).toHaveLength(1);
  undone.release();
  await eventually(() => expect(there.annotations).toHaveLength(0));
  expect([deletionsOf(editor), deletionsOf(there)]).toEqual([[8], [9]]);
  store(editor);
  const redone = holdScene(editor, 8);
  editor.press("control", "shift", "z");
  await redone.wanted;
  there.editor.close();
  const again = new TestEditor(sceneAt(imageOf(9)), [], undefined, editor.lastPropagation);
  redone.release();
  await eventually(() => expect(again.annotations).toHaveLength(1));
});

test("undo waits for an image that is being opened", async () => {
  const editor = editorWith([[], []]);
  await propagate(editor, 2);
  store(editor);
  let finish = (_: TestEditor) => {};
  const opening = new Promise<TestEditor>((resolve) => (finish = resolve));
  const held = holdScene(editor, 8);
  editor.press("control", "z");
  await held.wanted;
  editor.lastPropagation.documents.noteOpening(9, opening);
  held.release();
  await eventually(() => expect(deletionsOf(editor)).toEqual([8]));
  await editor.settled();
  const there = open(editor, 9);
  finish(there);
  await eventually(() => expect(there.annotations).toHaveLength(0));
  expect(deletionsOf(editor)).toEqual([8]);
});

test("undo continues with an image that could not be opened", async () => {
  const editor = editorWith([[]]);
  await propagate(editor, 1);
  store(editor);
  editor.lastPropagation.documents.noteOpening(8, Promise.reject(new Error("The server cannot be reached.")));
  editor.press("control", "z");
  await eventually(() => expect(deletionsOf(editor)).toEqual([8]));
});

test("undo says that it runs, and that it is done when it is", async () => {
  const editor = editorWith([[], []]);
  await propagate(editor, 2);
  store(editor);
  const message = () => editor.editor.ui.store.getState().message;
  for (const [keys, during, after] of [
    [["control", "z"], "Undoing the propagation…", "2 annotations removed from 2 images."],
    [["control", "shift", "z"], "Redoing the propagation…", "2 annotations added to 2 images."],
  ] as const) {
    const held = holdScene(editor, 8);
    editor.press(...keys);
    await held.wanted;
    expect(message()).toBe(during);
    held.release();
    await eventually(() => expect(message()).toBe(after));
    store(editor);
  }
});

test("the browser asks before it closes the page during an undo, even after the image was left", async () => {
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", { baseURI: "http://limn.test/" });
  const last = lastPropagationOf({ installation: "here", userId: 1, username: "ada" });
  vi.unstubAllGlobals();
  const asks = () => !page.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const editor = editorWith([[], []], {}, last);
  await propagate(editor, 2);
  store(editor);
  expect(asks()).toBe(false);
  const held = holdScene(editor, 8);
  editor.press("control", "z");
  await held.wanted;
  editor.editor.close();
  expect(asks()).toBe(true);
  held.release();
  await eventually(() => expect(asks()).toBe(false));
  expect(deletionsOf(editor)).toEqual([8, 9]);
});

test("images that an undo leaves out are reported even if the image that it was started on has been left", async () => {
  const editor = editorWith([[], []]);
  await propagate(editor, 2);
  store(editor);
  editor.scenes.delete(9);
  const held = holdScene(editor, 8);
  editor.press("control", "z");
  await held.wanted;
  editor.editor.close();
  held.release();
  await eventually(() => expect(editor.messages.at(-1)).toContain("1 image could not be loaded"));
});

test("images do not get the same annotation twice, and images with annotations of the category can be skipped", async () => {
  const editor = editorWith([[annotationOf(11)], [annotationOf(21, { rings: [[OTHER]] })], []]);
  const { propagation } = editor.editor;
  const copied = propagation.copied();
  const counts = (targets: Target[], skips: boolean) =>
    targets.map((target) => {
      const { annotations, known, skipped } = propagation.copiesFor(target, copied, skips);
      return [annotations.length, known, skipped];
    });
  const targets = await targetsOf(editor, 3);
  expect(counts(targets, false)).toEqual([
    [0, 1, 0],
    [1, 0, 0],
    [1, 0, 0],
  ]);
  expect(counts(targets, true)).toEqual([
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ]);
});

test("on a smaller image, annotations keep their position, and are cut at the border or left out", async () => {
  const editor = editorWith([[]], { width: 150, height: 480 });
  await propagate(editor, 1);
  expect(editor.recorded).toHaveLength(1);
  const [edit] = editor.recorded;
  const ring = edit?.subject === "annotation" ? (edit.after.rings?.[0]?.[0] ?? []) : [];
  const xs = ring.filter((_, index) => index % 2 === 0);
  expect([Math.min(...xs), Math.max(...xs)]).toEqual([100, 150]);
  const tiny = editorWith([[]], { width: 90, height: 90 });
  await propagate(tiny, 1);
  expect(tiny.recorded).toEqual([]);
});

test("images that cannot be loaded are left out, and the next images are right even if the open image has left the list", async () => {
  const editor = editorWith([[], []]);
  editor.scenes.delete(8);
  expect((await targetsOf(editor, 2)).map(({ document }) => document === null)).toEqual([true, false]);
  editor.listed = editor.listed.slice(1);
  expect((await editor.editor.propagation.next(2)).images.map(({ id }) => id)).toEqual([8, 9]);
});
