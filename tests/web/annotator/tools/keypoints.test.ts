import { describe, expect, test } from "vitest";
import { EAR, EYE, NOSE, pointAt, poseScene } from "../poseScene";
import { annotationOf, at, SQUARE, sceneOf, TestEditor } from "../testEditor";

const bare = () => annotationOf(1, { rings: [] });
const posed = (...keypoints: ReturnType<typeof pointAt>[]) => annotationOf(1, { keypoints });
const ALL = [pointAt(NOSE, 110, 110), pointAt(EYE, 150, 110), pointAt(EAR, 190, 190)];

/** Returns an editor with the annotation selected and the tool chosen. */
function editorWithTool(scene = poseScene([bare()])): TestEditor {
  const editor = new TestEditor(scene);
  const [first] = editor.annotations;
  if (first) editor.editor.selection.selectAnnotation(first);
  return editor.choose("Keypoints");
}

const next = (editor: TestEditor) => editor.editor.keypoints.store.getState().next?.name;
const category = (editor: TestEditor) => editor.editor.document.category(1);

describe("placing keypoints", () => {
  test("clicks place the labels one after another, and after the last one the tool ends with a message", () => {
    const editor = editorWithTool();
    expect(next(editor)).toBe("nose");
    editor.click(100, 100).click(200.5, 120.25);
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 100, 100), pointAt(EYE, 200.5, 120.25)]);
    expect(editor.toolState).toBe("keypoints.idle");
    editor.click(300, 100);
    expect(editor.selected?.keypoints).toHaveLength(3);
    expect(editor.toolState).toBe("select.idle");
    expect(editor.editor.ui.store.getState().message).toBe("All keypoints placed");
  });

  test("with a single label, each click places a point in a new annotation", () => {
    const one = { keypoint_labels: ["tip"], keypoint_label_ids: [NOSE], keypoint_colors: ["#bf5c4d"] };
    const editor = new TestEditor(poseScene([], { ...one, keypoint_edges: [] })).choose("Keypoints");
    editor.clicks([100, 100], [200, 120], [300, 140]);
    const points = editor.annotations.map(({ keypoints }) => keypoints);
    expect(points).toEqual([[pointAt(NOSE, 100, 100)], [pointAt(NOSE, 200, 120)], [pointAt(NOSE, 300, 140)]]);
    editor.press("control", "z").click(310, 150);
    expect(editor.annotations.map(({ keypoints }) => keypoints?.[0]?.x)).toEqual([100, 200, 310]);
    editor.drag([310, 150], [320, 150]);
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 320, 150)]);
    expect(editor.toolState).toBe("keypoints.idle");
  });

  test("each click is one undo step, and the undone label is the next one", () => {
    const editor = editorWithTool().click(100, 100).click(200, 120);
    editor.press("control", "z");
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 100, 100)]);
    expect(next(editor)).toBe("eye");
    editor.press("control", "z");
    expect(editor.selected?.keypoints).toBeNull();
    expect(next(editor)).toBe("nose");
    editor.press("control", "y").press("control", "y");
    expect(editor.selected?.keypoints).toHaveLength(2);
    expect(next(editor)).toBe("ear");
  });

  test("Backspace deletes the placed keypoints, the last one first, and with the first keypoint the empty annotation", () => {
    const editor = editorWithTool();
    editor.editor.keypoints.startAt(EAR);
    editor.click(10, 10).click(100, 100);
    editor.press("backspace");
    expect(editor.selected?.keypoints).toEqual([pointAt(EAR, 10, 10)]);
    expect(next(editor)).toBe("nose");
    editor.press("backspace");
    expect(editor.annotations).toEqual([]);
    editor.press("control", "z").press("control", "z");
    expect(editor.selected?.keypoints).toHaveLength(2);
  });

  test("Backspace deletes a keypoint that was placed in an earlier session, not the annotation", () => {
    const editor = editorWithTool(poseScene([posed(ALL[0]!, ALL[1]!)])).press("backspace");
    expect(editor.selected?.keypoints).toEqual([ALL[0]]);
  });

  test("Backspace deletes the selected keypoint, whichever was placed last", () => {
    const editor = editorWithTool().click(100, 100).click(200, 120).click(100, 100);
    editor.press("backspace");
    expect(editor.selected?.keypoints).toEqual([pointAt(EYE, 200, 120)]);
  });

  test("after a chosen label the next unplaced one follows, then the first unplaced one", () => {
    const editor = editorWithTool();
    editor.editor.keypoints.startAt(EAR);
    expect(next(editor)).toBe("ear");
    editor.click(10, 10);
    expect(next(editor)).toBe("nose");
    editor.editor.keypoints.skip();
    expect(next(editor)).toBe("eye");
    editor.click(20, 20);
    expect(next(editor)).toBe("nose");
  });

  test("a dragged press places the keypoint where it is released", () => {
    const editor = editorWithTool().drag([100, 100], [120, 130], [140, 150]);
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 140, 150)]);
  });

  test("Space continues with the keypoints of a new annotation, even if those of the last annotation are complete", () => {
    const editor = editorWithTool().click(100, 100).press(" ");
    expect(editor.annotations).toHaveLength(2);
    expect(editor.toolState).toBe("keypoints.idle");
    editor.click(10, 10).click(50, 50).click(90, 90);
    expect(editor.toolState).toBe("select.idle");
    editor.press(" ");
    expect(editor.toolState).toBe("keypoints.idle");
    expect(next(editor)).toBe("nose");
    editor.choose("Select").press(" ");
    expect(editor.toolState).not.toBe("keypoints.idle");
  });

  test("keypoints stay on the image", () => {
    expect(editorWithTool().click(-30, 900).selected?.keypoints).toEqual([pointAt(NOSE, 0, 480)]);
  });

  test("new keypoints get the preferred visibility; with Shift, they are labelled but not visible", () => {
    const scene = { ...poseScene([bare()]), preferences: { keypoints: { visibility: 3 } } };
    const editor = editorWithTool(scene).click(10, 10).click(50, 50, { shift: true });
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 10, 10, 3), pointAt(EYE, 50, 50, 1)]);
  });

  test("labels placed as not labelled are skipped, and the last one ends the tool", () => {
    const scene = { ...poseScene([bare()]), preferences: { keypoints: { visibility: 0 } } };
    const editor = editorWithTool(scene).click(10, 10).click(30, 30).click(50, 50);
    expect(editor.selected?.keypoints?.map(({ label, v }) => [label, v])).toEqual([
      [NOSE, 0],
      [EYE, 0],
      [EAR, 0],
    ]);
    expect(editor.toolState).toBe("select.idle");
  });

  test("an imported point with v = 0 counts as unplaced: its label is offered in turn and the point replaced", () => {
    const scene = poseScene([posed(pointAt(NOSE, 5, 6, 0), pointAt(3, 7, 8))]);
    const editor = editorWithTool(scene);
    expect(next(editor)).toBe("nose");
    editor.click(110, 120);
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 110, 120), pointAt(3, 7, 8)]);
  });

  test("a second finger cancels the press", () => {
    const editor = editorWithTool();
    editor.editor.pointer.down(at(100, 100));
    editor.editor.pointer.abort();
    expect(editor.selected?.keypoints).toBeNull();
    expect(editor.toolState).toBe("keypoints.idle");
  });

  test("a category without labels is refused with a hint", () => {
    const editor = editorWithTool(sceneOf([bare()])).click(100, 100);
    expect(editor.toastTitles).toEqual(["No keypoints to place"]);
    expect(editor.recorded).toEqual([]);
  });

  test("a click beside the shapes places nothing if all labels are placed", () => {
    const editor = editorWithTool(poseScene([posed(...ALL)])).click(300, 300);
    expect(editor.recorded).toEqual([]);
    expect(editor.toolState).toBe("keypoints.idle");
  });
});

describe.each(["Keypoints", "Select"] as const)("keypoints of the selected annotation, with the tool %s", (tool) => {
  const working = (scene = poseScene([posed(...ALL)])) => editorWithTool(scene).choose(tool);
  const selected = (editor: TestEditor) => editor.editor.selection.state.keypoint;

  test("a click selects a keypoint, and another deselects it", () => {
    const editor = working().click(112, 108);
    expect(selected(editor)).toBe(NOSE);
    editor.click(110, 110);
    expect(selected(editor)).toBeNull();
    expect(editor.recorded).toEqual([]);
  });

  test("a drag moves a keypoint, as one step, without jumping to the pointer", () => {
    const editor = working().drag([113, 108], [150, 150], [163, 158]);
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 160, 160), ...ALL.slice(1)]);
    expect(editor.recorded).toHaveLength(1);
    editor.press("control", "z");
    expect(editor.selected?.keypoints).toEqual(ALL);
  });

  test("with a keypoint selected, a click on another adds or removes the edge between the two", () => {
    const editor = working().click(110, 110).click(190, 190);
    expect(category(editor)?.keypoint_edges).toEqual([
      [1, 2],
      [1, 3],
    ]);
    expect(selected(editor)).toBeNull();
    editor.click(150, 110).click(110, 110);
    expect(category(editor)?.keypoint_edges).toEqual([[1, 3]]);
    editor.press("control", "z").press("control", "z");
    expect(category(editor)?.keypoint_edges).toEqual([[1, 2]]);
    expect(editor.annotations[0]?.keypoints).toEqual(ALL);
  });

  test("a user who may not change the category sees a message, and nothing is changed", () => {
    const editor = working(poseScene([posed(...ALL)], { permissions: { edit: false, delete: false } }));
    editor.click(110, 110).click(190, 190);
    expect(editor.toastTitles).toEqual(["Edges cannot be changed"]);
    expect(editor.recorded).toEqual([]);
    expect(selected(editor)).toBe(EAR);
  });

  test("Backspace deletes the selected keypoint before the annotation", () => {
    const editor = working().click(150, 110).press("backspace");
    expect(editor.selected?.keypoints).toEqual([ALL[0], ALL[2]]);
    expect(next(editor)).toBe("eye");
    editor.choose("Select").press("backspace");
    expect(editor.annotations).toHaveLength(0);
    editor.press("control", "z").press("control", "z");
    expect(editor.annotations[0]?.keypoints).toEqual(ALL);
  });

  test("a double click opens the settings, and reverts the edge change of its first click", () => {
    const editor = working().click(110, 110).click(190, 190).click(190, 190, { clicks: 2 });
    expect(editor.editor.ui.store.getState().dialog).toMatchObject({ kind: "keypoint", label: EAR });
    expect(category(editor)?.keypoint_edges).toEqual([[1, 2]]);
    expect(selected(editor)).toBe(EAR);
  });

  test("a double click reverts no step except the edge change of its own first click", () => {
    const editor = working().click(110, 110).click(190, 190);
    editor.editor.commands.rename(editor.selected!.uuid, "tom");
    editor.editor.keypoints.doubleClick(EAR);
    expect(editor.selected?.metadata).toEqual({ name: "tom" });
  });

  test("a drag does not move a keypoint if another annotation is selected during it", () => {
    const editor = working(poseScene([posed(...ALL), annotationOf(2, { rings: [] })]));
    const before = editor.annotations;
    editor.editor.pointer.down(at(110, 110));
    editor.move(300, 300);
    editor.editor.selection.selectAnnotation(annotationOf(2));
    editor.editor.pointer.up(at(320, 320));
    expect(editor.annotations).toEqual(before);
  });

  test("a cancelled drag leaves the keypoint in place", () => {
    const editor = working();
    editor.editor.pointer.down(at(110, 110));
    editor.move(300, 300);
    editor.editor.pointer.abort();
    expect(editor.selected?.keypoints).toEqual(ALL);
    expect(editor.toolState.endsWith(".idle")).toBe(true);
  });

  test("the keypoint under the pointer is forgotten when another annotation is selected by keys", () => {
    const editor = working(poseScene([posed(...ALL), annotationOf(2, { rings: [] })])).move(110, 110);
    expect(editor.editor.keypoints.store.getState().hovered).toBe(NOSE);
    editor.editor.layers.expand(1, true);
    editor.press("arrowdown");
    expect(editor.selected?.id).toBe(2);
    expect(editor.editor.keypoints.store.getState().hovered).toBeNull();
  });

  test("unlabelled and removed keypoints are neither hit nor changed", () => {
    const hidden = [pointAt(NOSE, 110, 110), pointAt(EYE, 120, 180, 0), pointAt(3, 180, 120)];
    const editor = working(poseScene([posed(...hidden)]));
    expect(editor.editor.keypoints.at({ x: 120, y: 180 }, 8)).toBeNull();
    expect(editor.editor.keypoints.at({ x: 180, y: 120 }, 8)).toBeNull();
    editor.drag([110, 110], [115, 130]);
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 115, 130), hidden[1], hidden[2]]);
  });
});

describe("keypoints of a locked annotation", () => {
  const locked = (...keypoints: ReturnType<typeof pointAt>[]) => {
    const editor = editorWithTool(poseScene([posed(...keypoints)]));
    editor.editor.locks.set([editor.selected!.uuid], true);
    return editor;
  };

  test.each([
    ["a click", (editor: TestEditor) => editor.click(300, 300)],
    ["the template", (editor: TestEditor) => editor.press("shift", "k")],
    ["Backspace", (editor: TestEditor) => editor.press("backspace")],
  ])("%s changes nothing, keeps the tool and says only that it is locked", (_, act) => {
    const editor = act(locked(ALL[0]!, ALL[1]!));
    expect(editor.recorded).toEqual([]);
    expect(editor.editor.ui.store.getState().message).toBe("Locked. Shift + L unlocks the selected annotations.");
    expect(editor.toolState).toBe("keypoints.idle");
    expect(next(editor)).toBe("ear");
  });

  test.each([
    ["Backspace", ["backspace"]],
    ["Shift + X", ["shift", "x"]],
  ])("%s on a selected keypoint leaves it selected and says only that it is locked", (_, keys) => {
    const editor = locked(...ALL);
    editor.editor.selection.selectKeypoint(EYE);
    editor.press(...keys);
    expect(editor.recorded).toEqual([]);
    expect(editor.editor.selection.state.keypoint).toBe(EYE);
    expect(editor.editor.ui.store.getState().message).toBe("Locked. Shift + L unlocks the selected annotations.");
  });

  test("the last keypoint of an annotation without a shape stays, and with it the annotation", () => {
    const editor = editorWithTool(poseScene([annotationOf(1, { rings: [], keypoints: [pointAt(NOSE, 50, 50)] })]));
    editor.editor.locks.set([editor.selected!.uuid], true);
    editor.press("backspace");
    expect(editor.annotations).toHaveLength(1);
    expect(editor.editor.ui.store.getState().message).toBe("Locked. Shift + L unlocks the selected annotations.");
  });
});

describe("Select with keypoints", () => {
  test("vertices keep their handles beside keypoints", () => {
    const editor = editorWithTool(poseScene([posed(pointAt(NOSE, 107, 100))])).choose("Select");
    editor.drag([101, 100], [80, 85]);
    expect(editor.selected?.rings?.[0]?.[0]?.slice(0, 2)).toEqual([80, 85]);
    expect(editor.selected?.keypoints).toEqual([pointAt(NOSE, 107, 100)]);
  });

  test("an annotation with only keypoints is selected by a keypoint or an edge", () => {
    const alone = annotationOf(1, { rings: [], keypoints: ALL });
    const editor = new TestEditor(poseScene([alone])).click(192, 195);
    expect(editor.selected?.id).toBe(1);
    editor.click(400, 400).click(130, 112);
    expect(editor.selected?.id).toBe(1);
  });

  test("an annotation without a shape is deleted with its last keypoint, and restored by undo", () => {
    const editor = editorWithTool(poseScene([annotationOf(1, { rings: [], keypoints: [pointAt(NOSE, 50, 50)] })]));
    editor.click(50, 50).press("backspace");
    expect(editor.annotations).toEqual([]);
    expect(editor.recorded.map(({ action }) => action)).toEqual(["delete"]);
    editor.press("control", "z");
    expect(editor.annotations[0]?.keypoints).toEqual([pointAt(NOSE, 50, 50)]);
  });

  test("an annotation with a shape stays after its last keypoint is deleted", () => {
    const editor = editorWithTool(poseScene([posed(pointAt(NOSE, 50, 50))]))
      .click(50, 50)
      .press("backspace");
    expect(editor.annotations[0]).toMatchObject({ rings: [[SQUARE]], keypoints: [] });
  });
});

describe("the keypoint template", () => {
  const places = (editor: TestEditor) => editor.selected?.keypoints?.map(({ x, y }) => [Math.round(x), Math.round(y)]);

  test("copies the category's last complete annotation into the shape's box, as one step", () => {
    const example = annotationOf(2, {
      rings: [],
      keypoints: [pointAt(NOSE, 0, 0), pointAt(EYE, 50, 0), pointAt(EAR, 50, 20, 1)],
    });
    const editor = editorWithTool(poseScene([annotationOf(1), example])).press("shift", "k");
    expect(places(editor)).toEqual([
      [100, 100],
      [200, 100],
      [200, 200],
    ]);
    expect(editor.selected?.keypoints?.every(({ v }) => v === 2)).toBe(true);
    expect(editor.toolState).toBe("select.idle");
    expect(editor.recorded).toHaveLength(1);
    editor.press("control", "z");
    expect(editor.selected?.keypoints).toBeNull();
  });

  test("the template is fitted to the keypoints that are already placed, which stay in place", () => {
    const example = annotationOf(2, {
      rings: [],
      keypoints: [pointAt(NOSE, 0, 0), pointAt(EYE, 10, 0), pointAt(EAR, 5, 10)],
    });
    const own = annotationOf(1, { rings: [], keypoints: [pointAt(NOSE, 300, 300), pointAt(EYE, 320, 300)] });
    const editor = editorWithTool(poseScene([own, example])).press("shift", "k");
    expect(places(editor)).toEqual([
      [300, 300],
      [320, 300],
      [310, 320],
    ]);
  });

  test("the template is a ring if there is nothing to copy, and creates an annotation if none is selected", () => {
    const editor = new TestEditor(poseScene());
    editor.editor.view.resize({ width: 640, height: 480 });
    editor.press("shift", "k");
    expect(editor.annotations).toHaveLength(1);
    const points = editor.selected?.keypoints ?? [];
    expect(points.map(({ label }) => label)).toEqual([NOSE, EYE, EAR]);
    const radii = points.map(({ x, y }) => Math.round(Math.hypot(x - 320, y - 240)));
    expect(new Set(radii).size).toBe(1);
    expect(radii[0]).toBeGreaterThan(50);
  });

  test("changes nothing if all labels are placed", () => {
    expect(editorWithTool(poseScene([posed(...ALL)])).press("shift", "k").recorded).toEqual([]);
  });
});
