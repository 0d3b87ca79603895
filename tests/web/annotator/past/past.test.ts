import { expect, test } from "vitest";
import type { Moment } from "../../../../shared/api/history";
import { annotationOf, at, SQUARE, sceneOf, TestEditor, uuidOf } from "../testEditor";

const moved = SQUARE.map((value) => value + 50);

function momentOf(part: Partial<Moment>): Moment {
  return { revision: 3, unknown: [], annotations: [], deleted: [], ...part };
}

test("puts the whole image back as one undo step", () => {
  const now = [annotationOf(1, { rings: [[moved]] }), annotationOf(2), annotationOf(3)];
  const { editor, recorded } = new TestEditor(sceneOf(now));
  const gone = annotationOf(4, { rings: [[SQUARE]] });
  const moment = momentOf({
    annotations: [annotationOf(1, { rings: [[SQUARE]] }), gone],
    unknown: [uuidOf(3)],
    deleted: [{ uuid: gone.uuid, revision: 9 }],
  });
  editor.past.toggle();
  editor.past.show(moment);
  expect(editor.past.putBack()).toBe(true);
  expect(recorded.map(({ subject, action, base }) => [subject, action, base])).toEqual([
    ["annotation", "delete", now[1]!.revision],
    ["annotation", "modify", now[0]!.revision],
    ["annotation", "create", 9],
  ]);
  const { annotations } = editor.document.state;
  expect([...annotations.keys()].sort()).toEqual([uuidOf(1), uuidOf(3), uuidOf(4)]);
  expect(annotations.get(uuidOf(1))?.rings).toEqual([[SQUARE]]);
  expect(annotations.get(uuidOf(4))).toMatchObject({ id: gone.id, rings: [[SQUARE]] });
  expect(editor.past.putBack()).toBe(false);
  editor.history.undo();
  expect([...editor.document.state.annotations.keys()].sort()).toEqual([uuidOf(1), uuidOf(2), uuidOf(3)]);
  expect(editor.document.annotation(uuidOf(1))?.rings).toEqual([[moved]]);
});

test("puts one annotation back and leaves the others", () => {
  const now = [annotationOf(1, { rings: [[moved]] }), annotationOf(2, { rings: [[moved]] })];
  const { editor } = new TestEditor(sceneOf(now));
  editor.past.show(momentOf({ annotations: now.map((each) => ({ ...each, rings: [[SQUARE]] })) }));
  editor.past.putBack(uuidOf(2));
  expect(editor.document.annotation(uuidOf(1))?.rings).toEqual([[moved]]);
  expect(editor.document.annotation(uuidOf(2))?.rings).toEqual([[SQUARE]]);
});

test("a moment is read-only: presses choose annotations, and keys step or close", () => {
  const user = new TestEditor(sceneOf([annotationOf(1)]));
  const { editor, recorded } = user;
  const steps: number[] = [];
  editor.past.toggle();
  editor.past.setStepper((by) => steps.push(by));
  editor.past.show(momentOf({ annotations: [annotationOf(7, { rings: [[SQUARE]], area: 10_000 })] }));
  expect(editor.pointer.down(at(150, 150))).toBe(false);
  editor.pointer.click(at(150, 150));
  expect(editor.past.state.chosen).toBe(uuidOf(7));
  editor.selection.selectAnnotation({ uuid: uuidOf(1), category_id: 1 });
  for (const key of ["delete", "arrowleft", "arrowup"]) user.press(key);
  expect([recorded, steps]).toEqual([[], [-1, 1]]);
  user.press("escape");
  expect(editor.past.state).toMatchObject({ isOpen: false, moment: null });
});
