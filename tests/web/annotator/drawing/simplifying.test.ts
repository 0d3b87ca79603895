import { expect, test } from "vitest";
import type { Rings } from "../../../../shared/entities/shape";
import { eventually } from "../../../support/eventually";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** A circle of 100 points around (150, 150). */
const CIRCLE = Array.from({ length: 100 }, (_, i) => {
  const angle = (2 * Math.PI * i) / 100;
  return [150 + 50 * Math.cos(angle), 150 + 50 * Math.sin(angle)];
}).flat();

const onCircle = () => new TestEditor(sceneOf([annotationOf(1, { rings: [[CIRCLE]] })])).click(150, 150);

test("a simplification is previewed with the number of points, and applied as one step", async () => {
  const editor = onCircle().press("shift", "o");
  const { simplifying } = editor.editor;
  await editor.settled();
  expect(simplifying.choice).toMatchObject({ target: uuidOf(1), tolerance: 1, before: 100 });
  const fine = simplifying.choice!.after!;
  simplifying.change({ tolerance: 5 });
  await editor.settled();
  expect(simplifying.choice!.after).toBeLessThan(fine);
  expect(editor.recorded).toEqual([]);
  await simplifying.apply();
  expect(simplifying.choice).toBeNull();
  expect(editor.selected?.rings?.[0]?.[0]?.length).toBeLessThan(2 * fine);
  editor.press("control", "z");
  expect(editor.selected?.rings).toEqual([[CIRCLE]]);
});

test("rounded corners are remembered for the next time", async () => {
  const editor = onCircle().press("shift", "o");
  editor.editor.simplifying.change({ isRound: true });
  await editor.editor.simplifying.apply();
  expect(editor.editor.history.store.getState().undo).toEqual({ name: "Annotation 1", action: "Smooth" });
  editor.press("shift", "o");
  expect(editor.editor.simplifying.choice?.isRound).toBe(true);
});

test("Escape ends a simplification and keeps the selection; selecting another annotation or changing the shape also ends it", async () => {
  const editor = onCircle().press("shift", "o").press("escape");
  expect(editor.editor.simplifying.choice).toBeNull();
  expect(editor.selected?.id).toBe(1);
  editor.press("shift", "o").press("escape").press("escape");
  expect(editor.selected).toBeNull();
  editor.click(150, 150).press("shift", "o");
  await editor.editor.operations.toBox([uuidOf(1)]);
  expect(editor.editor.simplifying.choice).toBeNull();
  editor.press("shift", "o");
  editor.editor.selection.selectAnnotation(null);
  expect(editor.editor.simplifying.choice).toBeNull();
});

test("Enter applies the simplification", async () => {
  const editor = onCircle().press("shift", "o").press("enter");
  await editor.settled();
  expect(editor.recorded).toHaveLength(1);
});

/** Lets a stroke on the annotation be computed until the returned function is called. */
function holdStroke({ editor: { drawing } }: TestEditor): () => void {
  let release = () => {};
  const computed = new Promise<void>((resolve) => (release = resolve));
  void drawing.combine("unite", async (shape) => {
    await computed;
    return [...shape, [STROKE]];
  });
  return release;
}

const STROKE = [300, 300, 350, 300, 350, 350, 300, 350];

test("a simplification that is cancelled while it waits for a stroke changes nothing", async () => {
  const editor = onCircle();
  const release = holdStroke(editor);
  editor.press("shift", "o");
  const applied = editor.editor.simplifying.apply();
  editor.press("escape");
  release();
  await applied;
  expect(editor.selected?.rings).toEqual([[CIRCLE], [STROKE]]);
});

test("a simplification that is cancelled while it is computed changes nothing", async () => {
  const editor = onCircle().press("shift", "o");
  const { compute } = editor.editor.parts;
  const { simplify } = compute;
  let release = () => {};
  const computed = new Promise<void>((resolve) => (release = resolve));
  let count = 0;
  await editor.settled();
  compute.simplify = async (...given) => {
    count++;
    await computed;
    return simplify(...given);
  };
  const applied = editor.editor.simplifying.apply();
  await eventually(() => expect(count).toBe(1));
  editor.press("escape");
  release();
  await applied;
  expect(editor.recorded).toEqual([]);
});

test("Apply pressed again while a stroke is computed simplifies once, with the last tolerance", async () => {
  const editor = onCircle();
  const { simplifying } = editor.editor;
  const release = holdStroke(editor);
  editor.press("shift", "o");
  simplifying.change({ isRound: true });
  const first = simplifying.apply();
  simplifying.change({ tolerance: 10 });
  const second = simplifying.apply();
  release();
  await Promise.all([first, second]);
  const rounded = await editor.editor.parts.compute.smooth([[CIRCLE], [STROKE]], 10);
  expect(editor.selected?.rings).toEqual(rounded);
  editor.press("control", "z");
  expect(editor.selected?.rings).toEqual([[CIRCLE], [STROKE]]);
});

test("a simplification that waits for a stroke is applied although another annotation is selected", async () => {
  const editor = onCircle();
  const release = holdStroke(editor);
  const applied = editor.press("shift", "o").editor.simplifying.apply();
  editor.editor.selection.selectAnnotation(null);
  expect(editor.editor.simplifying.choice).toBeNull();
  release();
  await applied;
  expect(editor.editor.history.store.getState().undo?.action).toBe("Simplify");
});

test("a shape of another user that arrives during the computation is not replaced by the older one", async () => {
  const editor = onCircle().press("shift", "o");
  const { compute } = editor.editor.parts;
  const { simplify } = compute;
  const seen: Rings[] = [];
  await editor.settled();
  compute.simplify = async (rings, tolerance) => {
    if (seen.push(rings) === 1) reshapeByOther(editor, [[THEIRS]]);
    return simplify(rings, tolerance);
  };
  await editor.editor.simplifying.apply();
  expect(seen).toEqual([[[CIRCLE]], [[THEIRS]]]);
  const simplified = await simplify([[THEIRS]], 1);
  expect(editor.selected?.rings).toEqual(simplified);
  expect(editor.recorded).toMatchObject([{ before: { rings: [[THEIRS]] }, after: { rings: simplified }, base: 4 }]);
});

/** A rectangle with points on its sides. */
const THEIRS = [400, 100, 450, 100, 500, 100, 500, 150, 500, 200, 450, 200, 400, 200, 400, 150];

/** Applies another user's new shape of the annotation, as the server reports it. */
function reshapeByOther({ editor: { document } }: TestEditor, rings: Rings): void {
  const change = {
    image_revision: 6,
    subject: "annotation",
    subject_id: uuidOf(1),
    revision: 4,
    action: "modify",
    fields: { rings },
    edit: null,
    client: "somebody-else",
    user: "bob",
  } as const;
  document.applyRemote([change], 6);
}

test("loading the image again keeps the choice, which still ends when another user changes the shape", async () => {
  const editor = onCircle().press("shift", "o");
  const { simplifying, document } = editor.editor;
  simplifying.change({ tolerance: 5 });
  document.replace(sceneOf([annotationOf(1, { rings: [[[...CIRCLE]]] })]));
  expect(simplifying.choice).toMatchObject({ target: uuidOf(1), tolerance: 5 });
  reshapeByOther(editor, [[THEIRS]]);
  expect(simplifying.choice).toBeNull();
});

/** Holds back the previews that are computed from now on; the returned function makes the first one fail. */
function failFirstPreview({ editor: { parts } }: TestEditor): () => void {
  const { simplify } = parts.compute;
  let fail = () => {};
  const failing = new Promise<Rings>((_, reject) => (fail = () => reject(new Error("The worker has crashed."))));
  let count = 0;
  parts.compute.simplify = (...given) => (count++ === 0 ? failing : simplify(...given));
  return fail;
}

test("a preview that fails late leaves the choice that was begun since, which gets its own preview", async () => {
  const scene = sceneOf([annotationOf(1, { rings: [[CIRCLE]] }), annotationOf(2, { rings: [[THEIRS]] })]);
  const editor = new TestEditor(scene).click(150, 150);
  const { simplifying } = editor.editor;
  const fail = failFirstPreview(editor);
  editor.press("shift", "o").click(450, 150).press("shift", "o");
  fail();
  await eventually(() => expect(simplifying.choice).toMatchObject({ target: uuidOf(2), after: 4 }));
  expect(editor.messages).toEqual([]);
});

test("a preview that fails while another tolerance is chosen is replaced by the preview of that one", async () => {
  const editor = onCircle();
  const { simplifying } = editor.editor;
  const fail = failFirstPreview(editor);
  editor.press("shift", "o");
  for (const tolerance of [2, 3, 4, 5]) simplifying.change({ tolerance });
  fail();
  await eventually(() => expect(simplifying.choice?.after).toBeLessThan(100));
  expect(simplifying.choice?.tolerance).toBe(5);
  expect(editor.messages).toEqual([]);
});

test("previews that keep failing end the choice with one message, however often the tolerance was changed", async () => {
  const editor = onCircle();
  const { simplifying, parts } = editor.editor;
  parts.compute.simplify = () => Promise.reject(new Error("The worker has crashed."));
  editor.press("shift", "o");
  for (const tolerance of [2, 3, 4, 5]) simplifying.change({ tolerance });
  await eventually(() => expect(simplifying.choice).toBeNull());
  await editor.settled();
  expect(editor.messages).toEqual(["error: The worker has crashed."]);
});

test("an annotation without a shape has nothing to simplify", () => {
  const editor = new TestEditor().press(" ").press("shift", "o");
  expect(editor.editor.simplifying.choice).toBeNull();
  expect(editor.editor.ui.store.getState().message).toBe("The annotation has no shape to simplify");
});
