import { expect, test, vi } from "vitest";
import type { AnnotatorScene } from "../../../../shared/api/annotator";
import { eventually } from "../../../support/eventually";
import { annotationOf, sceneOf, TestEditor } from "../testEditor";

test("Ctrl+Enter marks the image as done with an edit, and opens the next image", () => {
  const editor = new TestEditor(sceneOf([annotationOf(1)])).press("control", "enter");
  expect(editor.recorded).toMatchObject([
    { subject: "image", image_id: 7, action: "modify", before: { done: false }, after: { done: true } },
  ]);
  expect(editor.wentTo).toEqual([8]);
});

test("Ctrl+Enter on the last image marks the image and stays; a done image is not marked again", () => {
  const scene = sceneOf();
  const editor = new TestEditor({ ...scene, image: { ...scene.image, next: null, done: true, stage: "accepted" } });
  editor.press("control", "enter");
  expect([editor.recorded, editor.wentTo]).toEqual([[], []]);
  expect(editor.editor.ui.store.getState().message).toMatch(/last image/);
});

test("the done mark is removed by its key and by undo", () => {
  const editor = new TestEditor().press("shift", "d");
  expect(editor.editor.document.state.image.done).toBe(true);
  editor.press("control", "z");
  expect(editor.editor.document.state.image.done).toBe(false);
  editor.press("shift", "d").press("shift", "d");
  expect(editor.recorded.map(({ after }) => after)).toEqual([
    { done: true },
    { done: false },
    { done: true },
    { done: false },
  ]);
});

/** Returns an editor of an image in a dataset that asks for review. */
function reviewedEditor(mayReview: boolean, image: Partial<AnnotatorScene["image"]> = {}): TestEditor {
  const scene = sceneOf();
  const dataset = { ...scene.permissions.dataset, review: mayReview };
  return new TestEditor({
    ...scene,
    image: { ...scene.image, ...image },
    dataset: { ...scene.dataset, review: true },
    permissions: { ...scene.permissions, dataset },
  });
}
const stagesIn = ({ recorded }: TestEditor) => recorded.map(({ before, after }) => [before, after]);

test("where review is asked for, annotators submit, and take their submission back", () => {
  const editor = reviewedEditor(false).press("control", "enter");
  expect([stagesIn(editor), editor.wentTo]).toEqual([[[{ stage: "open" }, { stage: "to_review" }]], [8]]);
  expect(editor.editor.document.state.image).toMatchObject({ stage: "to_review", done: true });
  editor.press("shift", "d");
  expect(editor.editor.document.state.image).toMatchObject({ stage: "open", done: false });
  editor.press("control", "z");
  expect(editor.editor.document.state.image.stage).toBe("to_review");
});

test("a returned image that is submitted and taken back is returned again", () => {
  const returned = { stage: "returned", returned_by: "ann", returned_at: "2026-01-01T00:00:00Z" } as const;
  const editor = reviewedEditor(false, returned).press("shift", "d").press("shift", "d");
  expect(editor.editor.document.state.image).toMatchObject(returned);
});

test("annotators cannot reopen an accepted image", () => {
  const editor = reviewedEditor(false, { stage: "accepted", done: true }).press("shift", "d").press("control", "enter");
  expect([editor.recorded, editor.wentTo]).toEqual([[], [8]]);
});

test("reviewers accept and return, and each opens the next image", () => {
  const editor = reviewedEditor(true, { stage: "to_review", done: true });
  editor.press("control", "shift", "enter").press("control", "enter");
  expect(stagesIn(editor)).toEqual([
    [{ stage: "to_review" }, { stage: "returned" }],
    [{ stage: "returned" }, { stage: "accepted" }],
  ]);
  expect(editor.wentTo).toEqual([8, 8]);
});

/** Returns an editor of an image from a queue that then gives these images. */
function queuedEditor(...given: { imageId: number | null; isAway: boolean; hasSkipped?: boolean }[]) {
  const asked: unknown[] = [];
  const next = async (...args: unknown[]) => {
    asked.push(args);
    const found = given.shift();
    if (!found) throw new Error("Busy.");
    return { hasSkipped: false, ...found };
  };
  const skip = (...args: unknown[]) => void asked.push(["skip", ...args]);
  const forgetSkipped = (...args: unknown[]) => void asked.push(["forget", ...args]);
  const returns = new Set<() => void>();
  const onceReachable = (listener: () => void) => {
    returns.add(listener);
    return () => void returns.delete(listener);
  };
  const queue = { next, skip, forgetSkipped, onceReachable };
  /** Calls what waits for the server. Returns the number of these. */
  const comeBack = () => {
    const waiting = [...returns];
    returns.clear();
    for (const listener of waiting) listener();
    return waiting.length;
  };
  return { asked, comeBack, editor: new TestEditor(sceneOf(), [], undefined, undefined, queue) };
}

test("Ctrl+Enter on an image from the queue marks it as done, and opens the next image of the queue", async () => {
  const { asked, editor } = queuedEditor({ imageId: 40, isAway: false });
  editor.press("control", "enter");
  expect(editor.recorded).toMatchObject([{ before: { done: false }, after: { done: true } }]);
  await eventually(() => expect(editor.wentTo).toEqual([40]));
  expect(asked).toEqual([[1, [7]]]);
});

/** Returns an editor whose queue gives image 40 once `give` is called. */
function waitingEditor() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const next = async () => {
    await given;
    return { imageId: 40, isAway: false, hasSkipped: false };
  };
  const queue = { next, skip: () => {}, forgetSkipped: () => {}, onceReachable: () => () => {} };
  return { give, editor: new TestEditor(sceneOf([annotationOf(1)]), [], undefined, undefined, queue) };
}

const MEANWHILE: [string, (editor: TestEditor) => void][] = [
  ["undone the mark", (editor) => editor.press("control", "z")],
  ["opened a dialog", ({ editor }) => editor.ui.open({ kind: "image settings" })],
  ["begun to draw", ({ editor }) => editor.ui.setDrawing(true)],
];
for (const [what, work] of MEANWHILE)
  test(`a late next image is offered, not opened, if the user has ${what} meanwhile`, async () => {
    const { give, editor } = waitingEditor();
    editor.press("control", "enter");
    work(editor);
    give();
    await eventually(() => expect(editor.messages).toEqual(["info: Your next image is ready."]));
    expect(editor.wentTo).toEqual([]);
    editor.actions[0]!.onClick();
    expect(editor.wentTo).toEqual([40]);
  });

test("an empty queue, a queue without a server, and a failing one are told apart", async () => {
  const { editor } = queuedEditor({ imageId: null, isAway: false }, { imageId: null, isAway: true });
  const message = () => editor.editor.ui.store.getState().message;
  editor.press("control", "enter");
  await eventually(() => expect(message()).toBe("Marked as done. Nothing is left for you in this dataset"));
  editor.press("control", "enter");
  await eventually(() => expect(message()).toMatch(/requested when the server is back/));
  editor.press("control", "enter");
  await eventually(() => expect(editor.messages).toEqual(["error: Busy."]));
  expect(editor.wentTo).toEqual([]);
});

const NONE_HERE = { imageId: null, isAway: true };
const messageOf = ({ editor }: TestEditor) => editor.ui.store.getState().message;

test("the next image that only the server can give is opened when the server returns", async () => {
  const { asked, comeBack, editor } = queuedEditor(NONE_HERE, NONE_HERE, { imageId: 40, isAway: false });
  editor.press("control", "enter");
  for (let n = 0; n < 2; n++) {
    await eventually(() => expect(messageOf(editor)).toMatch(/requested when the server is back/));
    editor.editor.ui.showMessage("");
    expect(comeBack()).toBe(1);
  }
  await eventually(() => expect(editor.wentTo).toEqual([40]));
  expect([asked.length, comeBack()]).toEqual([3, 0]);
});

test("it is only offered if the user has worked on, or if the server was away for long", async () => {
  const given = { imageId: 40, isAway: false };
  for (const isLong of [false, true]) {
    const { comeBack, editor } = queuedEditor(NONE_HERE, given);
    editor.press("control", "enter");
    await eventually(() => expect(messageOf(editor)).toMatch(/requested when the server is back/));
    const now = performance.now();
    if (isLong) vi.spyOn(performance, "now").mockReturnValue(now + 60_000);
    else editor.press("control", "z");
    comeBack();
    await eventually(() => expect(editor.messages).toEqual(["info: Your next image is ready."]));
    expect(editor.wentTo).toEqual([]);
    vi.restoreAllMocks();
  }
});

test("an image that is left, and a second Ctrl+Enter, end the wait for the server", async () => {
  const { asked, comeBack, editor } = queuedEditor(NONE_HERE, NONE_HERE, NONE_HERE);
  for (let n = 1; n <= 2; n++) {
    editor.press("control", "enter");
    await eventually(() => expect(messageOf(editor)).toMatch(/requested when the server is back/));
    editor.editor.ui.showMessage("");
    expect(asked).toHaveLength(n);
  }
  editor.editor.leave();
  expect(comeBack()).toBe(0);
});

test("the wait for the server also begins if only skipped images are here, and in the next round", async () => {
  const skippedHere = { imageId: null, isAway: true, hasSkipped: true };
  const { comeBack, editor } = queuedEditor(skippedHere, NONE_HERE, { imageId: 40, isAway: false });
  editor.editor.progress.skip();
  await eventually(() => expect(editor.messages).toHaveLength(1));
  editor.actions[0]!.onClick();
  await eventually(() => expect(messageOf(editor)).toMatch(/requested when the server is back/));
  expect(comeBack()).toBe(1);
  await eventually(() => expect(editor.wentTo).toEqual([40]));
});

test("choosing to go on with skipped images ends the wait for the server", async () => {
  const skippedHere = { imageId: null, isAway: true, hasSkipped: true };
  const { comeBack, editor } = queuedEditor(skippedHere, { imageId: 7, isAway: true });
  editor.editor.progress.skip();
  await eventually(() => expect(editor.messages).toHaveLength(1));
  editor.actions[0]!.onClick();
  await eventually(() => expect(messageOf(editor)).toBe("This is the first of the skipped images"));
  expect(comeBack()).toBe(0);
});

test("an outline that was unfinished before the command does not keep the user on the image", async () => {
  const { give, editor } = waitingEditor();
  editor.editor.ui.setDrawing(true);
  editor.press("control", "enter");
  give();
  await eventually(() => expect(editor.wentTo).toEqual([40]));
  expect(editor.messages).toEqual([]);
});

test("an image from the queue can be skipped without a change, and others have no such command", async () => {
  const { asked, editor } = queuedEditor({ imageId: 40, isAway: false });
  editor.editor.progress.skip();
  await eventually(() => expect(editor.wentTo).toEqual([40]));
  expect(asked).toEqual([
    ["skip", 1, 7],
    [1, [7]],
  ]);
  expect(editor.recorded).toEqual([]);
  const ids = (all: TestEditor) => all.editor.list.map(({ id }) => id);
  expect([ids(editor).includes("skip"), ids(new TestEditor()).includes("skip")]).toEqual([true, false]);
});

test("when only skipped images are left, the user is offered the next round", async () => {
  const nothing = { imageId: null, isAway: false, hasSkipped: true };
  const { asked, editor } = queuedEditor(nothing, { imageId: 7, isAway: false });
  editor.editor.progress.skip();
  await eventually(() => expect(editor.messages).toHaveLength(1));
  expect(editor.messages[0]).toMatch(/^info: Skipped\. You have skipped all other images/);
  editor.actions[0]!.onClick();
  await eventually(() =>
    expect(editor.editor.ui.store.getState().message).toBe("This is the first of the skipped images"),
  );
  expect(asked.slice(2)).toEqual([
    ["forget", 1],
    [1, []],
  ]);
});

test("a number opens that image of the list, and a number beyond the end of the list shows a message", async () => {
  const editor = new TestEditor();
  const { image } = sceneOf();
  editor.listed = [image, { ...image, id: 20 }, { ...image, id: 30 }];
  await editor.editor.progress.goToNumber(3);
  await editor.editor.progress.goToNumber(1);
  await editor.editor.progress.goToNumber(9);
  expect(editor.wentTo).toEqual([30]);
  expect(editor.editor.ui.store.getState().message).toBe("The list has no image 9");
});

/** Returns an editor whose list gives images 1 to 99 once the request for each is released by its number. */
function editorOfSlowList() {
  const waiting = new Map<number, () => void>();
  const read = async (offset: number) => {
    await new Promise<void>((resolve) => waiting.set(offset + 1, resolve));
    return [{ ...sceneOf().image, id: offset + 1 }];
  };
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.parts.list.read = read;
  return { editor, release: (number: number) => waiting.get(number)?.() };
}

test("of two numbers the second opens its image, although the first one's image is found before", async () => {
  const { editor, release } = editorOfSlowList();
  const both = [editor.editor.progress.goToNumber(50), editor.editor.progress.goToNumber(70)];
  release(50);
  await both[0];
  expect(editor.wentTo).toEqual([]);
  release(70);
  await both[1];
  expect(editor.wentTo).toEqual([70]);
});

test("the image of a number is offered, not opened, if the user has begun to draw meanwhile", async () => {
  const { editor, release } = editorOfSlowList();
  const asked = editor.editor.progress.goToNumber(80);
  editor.editor.ui.setDrawing(true);
  release(80);
  await asked;
  expect([editor.wentTo, editor.messages]).toEqual([[], ["info: Image 80 is ready."]]);
  editor.actions[0]!.onClick();
  expect(editor.wentTo).toEqual([80]);
});
