import { describe, expect, test } from "vitest";
import { newLabelIds } from "../../../../../shared/rules/newLabelIds";
import { lostLabels, redefinition } from "../../../../../web/annotator/keypoints/model/redefinition";
import { addRow, changeRow, removeRow, rowsOf, setEdges } from "../../../../../web/components/keypoints/keypointRows";
import { EAR, EYE, NOSE, pointAt, poseScene } from "../../poseScene";
import { annotationOf, TestEditor } from "../../testEditor";

const cat = () => poseScene().categories[0]!;
const rows = () => rowsOf(cat());

describe("changes of a keypoint definition", () => {
  test("changes are empty if the rows are unchanged, whatever the order and form of the edges", () => {
    const odd = {
      ...cat(),
      keypoint_edges: [
        [3, 1],
        [2, 1],
        [1, 2],
        [2, 2],
      ] as [number, number][],
    };
    expect(redefinition(odd, rowsOf(odd))).toEqual({});
  });

  test("changes keep the id of a renamed label, and the order and direction of edges", () => {
    const turned = {
      ...cat(),
      keypoint_edges: [
        [3, 1],
        [2, 1],
      ] as [number, number][],
    };
    const renamed = changeRow(changeRow(rowsOf(turned), 1, { label: "beak" }), 2, { label: "nose" });
    expect(redefinition(turned, renamed)).toMatchObject({
      keypoint_labels: ["beak", "nose", "ear"],
      keypoint_label_ids: [NOSE, EYE, EAR],
      keypoint_edges: [
        [3, 1],
        [2, 1],
      ],
    });
  });

  test("changes give a new label an unused id, and a previously removed label its old id", () => {
    const added = changeRow(addRow(changeRow(addRow(rows()), 4, { label: "tail" })), 5, { label: "paw" });
    const { keypoint_label_ids: ids = [], keypoint_colors: colors } = redefinition(cat(), setEdges(added, 5, [1]));
    expect(ids.slice(0, 4)).toEqual([NOSE, EYE, EAR, 3]);
    expect(ids[4]).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(5);
    expect(colors?.slice(3)).toEqual(["#0d2b80", "#9c73bf"]);
  });

  test("changes keep a label that is removed and typed in again", () => {
    const again = changeRow(addRow(removeRow(rows(), 2)), 4, { label: " eye " });
    expect(redefinition(cat(), again).keypoint_label_ids).toEqual([NOSE, EAR, EYE]);
  });

  test("changes treat a new label in the place of a removed last label as new", () => {
    const instead = changeRow(addRow(removeRow(rows(), 3)), 3, { label: "paw" });
    expect(redefinition(cat(), instead).keypoint_label_ids?.[2]).not.toBe(EAR);
    expect(lostLabels(cat(), instead, []).map(({ label }) => label.name)).toEqual(["ear"]);
  });

  test("changes list removed labels with the number of their points", () => {
    const annotations = [
      annotationOf(1, { keypoints: [pointAt(NOSE, 1, 1), pointAt(EYE, 2, 2)] }),
      annotationOf(2, { keypoints: [pointAt(EYE, 1, 1, 1), pointAt(EAR, 1, 1, 0)] }),
    ];
    const lost = lostLabels(cat(), removeRow(removeRow(rows(), 2), 3), annotations);
    expect(lost.map(({ label, count }) => [label.name, count])).toEqual([
      ["eye", 2],
      ["ear", 0],
    ]);
  });
});

test("a removed label hides its points; undo, or a label of that name, shows them again", () => {
  const keypoints = [pointAt(NOSE, 110, 110), pointAt(EYE, 150, 150)];
  const editor = new TestEditor(poseScene([annotationOf(1, { keypoints })])).click(120, 190);
  const { commands, document } = editor.editor;
  const dots = () => editor.editor.keypoints.at({ x: 150, y: 150 }, 5);
  const now = () => document.category(1)!;
  commands.changeCategory(1, redefinition(now(), removeRow(rowsOf(now()), 2)));
  expect(dots()).toBeNull();
  expect(editor.selected?.keypoints).toEqual(keypoints);
  editor.press("control", "z");
  expect(dots()).not.toBeNull();
  editor.press("control", "y");
  expect(dots()).toBeNull();
  commands.changeCategory(1, redefinition(now(), changeRow(addRow(rowsOf(now())), 3, { label: "eye" })));
  expect(dots()).toMatchObject({ label: EYE });
  expect(now()).toMatchObject({ keypoint_labels: ["nose", "ear", "eye"], keypoint_label_ids: [NOSE, EAR, EYE] });
});

test("an annotation moved to another category keeps its keypoints by the names of their labels", () => {
  const scene = poseScene([annotationOf(1, { keypoints: [pointAt(NOSE, 1, 1), pointAt(EAR, 2, 2)] })]);
  scene.categories[1] = {
    ...scene.categories[1]!,
    keypoint_labels: ["ear", "paw"],
    keypoint_label_ids: [1, 2],
    keypoint_colors: ["#000000", "#000000"],
  };
  const editor = new TestEditor(scene);
  const [{ uuid } = { uuid: "" }] = editor.annotations;
  editor.editor.commands.modify(uuid, { category_id: 2 }, "Change");
  const hidden = newLabelIds({ labels: [], removed: [] })("nose");
  expect(editor.annotations[0]?.keypoints).toEqual([pointAt(hidden, 1, 1), pointAt(1, 2, 2)]);
  expect(editor.editor.document.category(2)?.keypoint_removed).toMatchObject([{ id: hidden, name: "nose" }]);
  editor.press("control", "z");
  expect(editor.annotations[0]?.keypoints).toEqual([pointAt(NOSE, 1, 1), pointAt(EAR, 2, 2)]);
});
