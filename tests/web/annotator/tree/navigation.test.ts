import { describe, expect, test } from "vitest";
import { rowsOf } from "../../../../web/annotator/tree/rows";
import { EAR, EYE, NOSE, pointAt, poseScene } from "../poseScene";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

const posed = () =>
  poseScene([
    annotationOf(1, { keypoints: [pointAt(EYE, 110, 110), pointAt(EAR, 120, 120, 0)] }),
    annotationOf(2, { rings: [] }),
  ]);

const state = ({ editor }: TestEditor) => {
  const { category, annotation, keypoint } = editor.selection.state;
  return { category, annotation: editor.document.annotation(annotation)?.id ?? null, keypoint };
};

describe("arrow keys and keypoints", () => {
  test("right goes from the category to its first annotation, then to that annotation's first keypoint; left goes back", () => {
    const editor = new TestEditor(posed());
    editor.editor.selection.selectCategory(1);
    editor.press("arrowright");
    expect(state(editor)).toEqual({ category: 1, annotation: 1, keypoint: null });
    editor.press("arrowright");
    expect(state(editor)).toEqual({ category: 1, annotation: 1, keypoint: NOSE });
    editor.press("arrowleft");
    expect(state(editor)).toEqual({ category: 1, annotation: 1, keypoint: null });
    expect(editor.editor.layers.state.keypoints).toBe(false);
    editor.press("arrowleft");
    expect(state(editor)).toEqual({ category: 1, annotation: null, keypoint: null });
  });

  test("down moves through the keypoints, then to the next annotation, then to the next category; up goes back", () => {
    const editor = new TestEditor(posed());
    editor.editor.selection.selectCategory(1);
    editor.press("arrowright").press("arrowright");
    const seen = [];
    for (let i = 0; i < 4; i++) seen.push(state(editor.press("arrowdown")));
    expect(seen).toEqual([
      { category: 1, annotation: 1, keypoint: EYE },
      { category: 1, annotation: 1, keypoint: EAR },
      { category: 1, annotation: 2, keypoint: null },
      { category: 2, annotation: null, keypoint: null },
    ]);
    editor.press("arrowup").press("arrowup");
    expect(state(editor)).toEqual({ category: 1, annotation: 1, keypoint: null });
  });

  test("annotations are navigated without their keypoints until the user enters them", () => {
    const editor = new TestEditor(posed());
    editor.editor.selection.selectCategory(1);
    editor.press("arrowright").press("arrowdown");
    expect(state(editor)).toMatchObject({ annotation: 2, keypoint: null });
  });

  test("an unplaced label reached by arrows is placed next, and Backspace leaves the annotation unchanged", () => {
    const editor = new TestEditor(posed());
    editor.editor.selection.selectCategory(1);
    editor.press("arrowright").press("arrowright").press("arrowdown").press("arrowdown");
    expect(editor.editor.keypoints.store.getState().next?.name).toBe("ear");
    editor.editor.selection.selectKeypoint(NOSE);
    editor.press("backspace");
    expect(editor.annotations).toHaveLength(2);
    expect(editor.recorded).toEqual([]);
  });
});

describe("the list of keypoints", () => {
  const keypointRows = ({ editor }: TestEditor) => {
    const { document, layers, search, selection } = editor;
    const rows = rowsOf(document.state, layers.state, search.state, selection.state);
    return rows.filter(({ kind }) => kind === "keypoint").length;
  };

  test("expands below a selected annotation that has keypoints, or while the Keypoints tool is active, and below no other", () => {
    const editor = new TestEditor(posed());
    const [withKeypoints, without] = editor.annotations;
    editor.editor.layers.expand(1, true);
    editor.editor.selection.selectAnnotation(without!);
    expect(keypointRows(editor)).toBe(0);
    editor.choose("Keypoints");
    expect(keypointRows(editor)).toBe(3);
    editor.choose("Select");
    expect(keypointRows(editor)).toBe(0);
    editor.editor.selection.selectAnnotation(withKeypoints!);
    expect(keypointRows(editor)).toBe(3);
    editor.editor.layers.listKeypoints(false);
    expect(keypointRows(editor)).toBe(0);
  });

  test("the row of a placed keypoint selects it with the Select tool, and the row of an unplaced one makes it the next to place", () => {
    const editor = new TestEditor(posed()).click(150, 150);
    editor.editor.actions.placeKeypoint(EAR);
    expect(editor.toolState).toBe("keypoints.idle");
    editor.click(190, 190);
    expect(editor.selected?.keypoints).toEqual([pointAt(EYE, 110, 110), pointAt(EAR, 190, 190)]);
    editor.editor.actions.selectKeypoint(EYE);
    expect(editor.toolState).toBe("select.idle");
    expect(state(editor).keypoint).toBe(EYE);
  });
});

test("J steps through all visible annotations, even in collapsed categories, and Shift+J steps back", () => {
  const editor = new TestEditor(sceneOf([1, 2, 3].map((n) => annotationOf(n))));
  editor.editor.layers.toggleAnnotation(uuidOf(2));
  expect(editor.press("j").selected?.id).toBe(1);
  expect(editor.press("j").selected?.id).toBe(3);
  expect(editor.press("j").selected?.id).toBe(1);
  expect(editor.press("shift", "j").selected?.id).toBe(3);
  expect(editor.editor.layers.state.expanded.size).toBe(0);
});

test("J does nothing without annotations", () => {
  expect(new TestEditor().press("j").selected).toBeNull();
});
