import fc from "fast-check";
import { expect, test } from "vitest";
import { colorFor } from "../../../shared/edits/apply";
import type { Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import type { ToolName } from "../../../web/annotator/tools/common/tool";
import { EAR, EYE, NOSE, pointAt, poseScene } from "./poseScene";
import { annotationOf, at, TestEditor } from "./testEditor";

/** Steps a user may take next. Places are image pixels, some of them outside the image. */
type Gesture =
  | { kind: "tool"; name: ToolName }
  | { kind: "click"; at: [number, number]; shift: boolean; clicks: number }
  | { kind: "drag" | "cut off"; over: [number, number][] }
  | { kind: "press"; keys: string[] }
  /** On a keypoint of the selected annotation: a place to drag it to, or null to click it. */
  | { kind: "keypoint"; index: number; to: [number, number] | null }
  | { kind: "visibility"; v: number }
  | { kind: "category"; id: number }
  | { kind: "rename"; name: string }
  | { kind: "recolour"; color: string };

const place = fc.tuple(fc.integer({ min: -40, max: 680 }), fc.integer({ min: -40, max: 520 }));
const gesture: fc.Arbitrary<Gesture> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<ToolName>(
        "Select",
        "BBox",
        "Polygon",
        "Scissors",
        "Ellipse",
        "Rotated Box",
        "Line",
        "Magic Wand",
        "Brush",
        "Eraser",
        "Keypoints",
      )
      .map((name): Gesture => ({ kind: "tool", name })),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("click" as const),
      at: place,
      shift: fc.boolean(),
      clicks: fc.constantFrom(1, 1, 1, 2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("drag" as const, "drag" as const, "cut off" as const),
      over: fc.array(place, { minLength: 2, maxLength: 40 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(
        ["enter"],
        ["escape"],
        ["backspace"],
        [" "],
        ["arrowdown"],
        ["control", "z"],
        ["control", "y"],
        ["]"],
        ["shift", "k"],
        ["arrowright"],
      )
      .map((keys): Gesture => ({ kind: "press", keys: [...keys] })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("keypoint" as const),
      index: fc.nat(2),
      to: fc.option(place),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("visibility" as const), v: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("category" as const), id: fc.constantFrom(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rename" as const), name: fc.string({ maxLength: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("recolour" as const), color: fc.constantFrom("#112233", "#445566") }),
  },
);

function act(editor: TestEditor, gesture: Gesture): void {
  const { commands } = editor.editor;
  const selected = editor.selected?.uuid;
  const { keypoint } = editor.editor.selection.state;
  if (gesture.kind === "tool") editor.choose(gesture.name);
  if (gesture.kind === "click") editor.click(...gesture.at, { shift: gesture.shift, clicks: gesture.clicks });
  if (gesture.kind === "drag") editor.drag(...gesture.over);
  if (gesture.kind === "cut off") {
    const isTaken = editor.editor.pointer.down(at(...gesture.over[0]!));
    for (const over of gesture.over) editor.move(...over);
    if (isTaken) editor.editor.pointer.abort();
  }
  if (gesture.kind === "keypoint") touch(editor, gesture.index, gesture.to);
  if (gesture.kind === "visibility" && keypoint !== null) editor.editor.keypoints.setVisibility(keypoint, gesture.v);
  if (gesture.kind === "category" && selected) commands.modify(selected, { category_id: gesture.id }, "Change");
  if (gesture.kind === "press") editor.press(...gesture.keys);
  if (gesture.kind === "rename" && selected) commands.rename(selected, gesture.name);
  if (gesture.kind === "recolour" && selected) commands.modify(selected, { color: gesture.color }, "Change");
}

function touch(editor: TestEditor, index: number, to: [number, number] | null): void {
  const point = editor.selected?.keypoints?.[index];
  if (point && to) editor.drag([point.x, point.y], to);
  else if (point) editor.click(point.x, point.y);
}

const start = () =>
  poseScene([
    annotationOf(1, { keypoints: [pointAt(NOSE, 120, 120), pointAt(EYE, 180.5, 130), pointAt(EAR, 140, 170, 1)] }),
    annotationOf(2, { isbbox: true, rings: [[[300, 50, 400, 50, 400, 120, 300, 120]]] }),
    annotationOf(3, { rings: null, bbox: [10, 300, 60, 50] }),
    annotationOf(4, { rings: null, rle: { size: [480, 640], counts: [100_000, 40, 440, 40, 206_680] }, iscrowd: true }),
    annotationOf(5, { rings: [] }),
    annotationOf(6, { rings: [], keypoints: [pointAt(NOSE, 500, 400, 0), pointAt(EYE, 520, 410), pointAt(3, 9.5, 8)] }),
  ]);

/** Returns the parts of categories that undo restores: all except the record of former labels. */
const looks = (editor: TestEditor) =>
  editor.editor.document.state.categories.map(({ keypoint_removed: _, ...look }) => structuredClone(look));

const copy = (annotations: Annotation[]): Annotation[] => structuredClone(annotations);

test("undoing and redoing any sequence of gestures gives the same document", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(gesture, { maxLength: 25 }), async (gestures) => {
      const scene = start();
      const before = copy(scene.categories.flatMap(({ annotations }) => annotations));
      const editor = new TestEditor(scene);
      const looksBefore = looks(editor);
      for (const next of gestures) {
        act(editor, next);
        await editor.settled();
      }
      editor.press("escape");
      const { history } = editor.editor;
      while (history.redo().kind === "done");
      const after = copy(editor.annotations);
      const looksAfter = looks(editor);
      while (history.undo().kind === "done");
      expect(same(editor.annotations, before)).toBe(true);
      expect(looks(editor)).toEqual(looksBefore);
      while (history.redo().kind === "done");
      expect(same(editor.annotations, after)).toBe(true);
      expect(looks(editor)).toEqual(looksAfter);
      editor.editor.close();
    }),
    { numRuns: 150 },
  );
});

test("the recorded edits give the same document when applied in order elsewhere", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(gesture, { maxLength: 25 }), async (gestures) => {
      const editor = new TestEditor(start());
      for (const next of gestures) {
        act(editor, next);
        await editor.settled();
      }
      const other = new TestEditor(start(), editor.recorded);
      const isEdited = (edit: Edit, uuid: string) =>
        edit.subject === "annotation" && edit.target === uuid && edit.action !== "modify";
      const isKnown = ({ id, uuid }: Annotation) =>
        id !== null || editor.recorded.findLast((edit) => isEdited(edit, uuid))?.action === "create";
      expect(same(other.annotations, editor.annotations.filter(isKnown))).toBe(true);
      // New annotations are not recorded while they are empty, nor when they are empty again.
      for (const { id, rings, rle, keypoints, metadata, color, uuid } of other.annotations)
        if (id === null && !rle && !keypoints?.length && rings?.length === 0)
          expect([metadata, color]).not.toEqual([{}, colorFor(uuid)]);
      for (const { rings, keypoints } of editor.annotations.filter((each) => !isKnown(each)))
        expect([rings, keypoints]).toEqual([[], null]);
    }),
    { numRuns: 60 },
  );
});

test("looking, selecting and navigating record nothing", () => {
  const editor = new TestEditor(start());
  editor.click(150, 150).move(350, 80).click(350, 80).press("arrowdown").press("arrowup").press("arrowleft").press("c");
  editor.click(150, 150);
  editor.press("arrowright").press("arrowdown").press("arrowleft").press("x").click(120, 120).click(120, 120);
  for (const tool of ["Polygon", "BBox", "Keypoints", "Select"] as const) editor.choose(tool);
  editor.editor.layers.hideAll();
  editor.editor.layers.showAll();
  editor.editor.close();
  expect(editor.recorded).toEqual([]);
  expect(same(editor.annotations, start().categories[0]?.annotations)).toBe(true);
});
