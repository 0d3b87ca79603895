import { expect, test } from "vitest";
import type { PointerInput } from "../../../../web/annotator/canvas/view/pointer";
import { annotationOf, at, sceneOf, TestEditor, uuidOf } from "../testEditor";

const square = (x: number, y: number) => [x, y, x + 20, y, x + 20, y + 20, x, y + 20];
/** Three squares: one at the left, one at the right, and one below, between the two. */
const scene = (lasso = false) => {
  const places = [square(100, 100), square(300, 100), square(200, 200)];
  return sceneOf(
    places.map((ring, i) => annotationOf(i + 1, { rings: [[ring]] })),
    { preferences: { select: { lasso } } },
  );
};
/** Goes around the left and the right square, above the one between them. */
const LOOP = [
  [80, 80],
  [340, 80],
  [340, 140],
  [290, 140],
  [220, 90],
  [150, 140],
  [80, 140],
] as const;

function draw(editor: TestEditor, how: Partial<PointerInput>): TestEditor {
  const [first, ...rest] = LOOP.map(([x, y]) => ({ ...at(x, y), ...how }));
  const { pointer } = editor.editor;
  if (!pointer.down(first!)) return editor;
  for (const input of rest) pointer.move(input);
  pointer.up(rest.at(-1)!);
  return editor;
}
const selected = (editor: TestEditor) => [...editor.editor.selection.state.all].sort();

test("Alt+drag selects the shapes that lie in a freely drawn loop", () => {
  const editor = draw(new TestEditor(scene()), { alt: true });
  expect(selected(editor)).toEqual([uuidOf(1), uuidOf(2)]);
  expect(editor.toolState).toBe("select.idle");
});

test("Alt+Shift+drag selects shapes in a loop in addition to those selected before", () => {
  const editor = draw(new TestEditor(scene()).click(210, 210), { alt: true, shift: true });
  expect(selected(editor)).toHaveLength(3);
});

test("with the lasso option, a drag draws a loop, even with a finger, and Alt+drag draws a box", () => {
  expect(selected(draw(new TestEditor(scene(true)), {}))).toHaveLength(2);
  expect(selected(draw(new TestEditor(scene(true)), { kind: "touch" }))).toHaveLength(2);
  expect(selected(draw(new TestEditor(scene()), { kind: "touch" }))).toHaveLength(0);
  const boxed = new TestEditor(scene(true));
  boxed.editor.pointer.down({ ...at(80, 80), alt: true });
  boxed.editor.pointer.move({ ...at(240, 230), alt: true });
  boxed.editor.pointer.up({ ...at(240, 230), alt: true });
  expect(selected(boxed)).toEqual([uuidOf(1), uuidOf(3)]);
});

test("a shape that reaches out of the loop is not selected, and a cancelled loop selects nothing", () => {
  const wide = annotationOf(4, { rings: [[[110, 90, 310, 90, 310, 110, 110, 130]]] });
  const editor = draw(new TestEditor(sceneOf([wide, annotationOf(5, { rings: [[square(150, 150)]] })])), { alt: true });
  expect(selected(editor)).toEqual([uuidOf(4)]);
  const aborted = new TestEditor(scene());
  aborted.editor.pointer.down({ ...at(80, 80), alt: true });
  aborted.editor.pointer.move({ ...at(340, 300), alt: true });
  aborted.editor.pointer.abort();
  expect(selected(aborted)).toEqual([]);
});
