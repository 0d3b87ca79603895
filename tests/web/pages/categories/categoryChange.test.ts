import { describe, expect, it } from "vitest";
import { addRow, changeRow, removeRow } from "../../../../web/components/keypoints/keypointRows";
import { categoryChange, labelsLost, valuesOf } from "../../../../web/pages/categories/categoryChange";

const face = {
  id: 3,
  name: "face",
  supercategory: "person",
  color: "#112233",
  metadata: {},
  creator: "ann",
  keypoint_labels: ["eye", "nose", "ear"],
  keypoint_edges: [[1, 2]] as [number, number][],
  keypoint_colors: ["#bf5c4d", "#d99100", "#4d8068"],
  keypoint_label_ids: [1, 2, 3],
  attributes: [],
  revision: 1,
};
const values = valuesOf(face);

describe("the changes that a form makes to a category", () => {
  it("the changes are empty if nothing was typed, or only blanks, another case or a row without a label", () => {
    expect(categoryChange(face, values)).toEqual({});
    const rows = addRow(values.rows);
    expect(
      categoryChange({ ...face, color: "#aabbcc" }, { ...values, name: " face ", color: "#AABBCC", rows }),
    ).toEqual({});
  });

  it("the tool changes no other entry of the metadata, and choosing no tool removes its key", () => {
    const noted = { ...face, metadata: { note: "a", tool: "Line" } };
    expect(valuesOf(noted).tool).toBe("Line");
    expect(categoryChange(noted, { ...values, tool: "BBox" })).toEqual({ set_metadata: { tool: "BBox" } });
    expect(categoryChange(noted, { ...values, tool: null })).toEqual({ remove_metadata: ["tool"] });
    expect(categoryChange(noted, valuesOf(noted))).toEqual({});
  });

  it("the changes include the changed fields, and all keypoint fields if one of them changed", () => {
    expect(categoryChange(face, { ...values, supercategory: "" })).toEqual({ supercategory: "" });
    const rows = changeRow(values.rows, 2, { color: "#000000" });
    expect(categoryChange(face, { ...values, rows })).toEqual({
      keypoint_labels: ["eye", "nose", "ear"],
      keypoint_edges: [[1, 2]],
      keypoint_colors: ["#bf5c4d", "#000000", "#4d8068"],
      label_ids: [1, 2, 3],
    });
  });

  it("a new label in the place of a removed one has no id, but a renamed one keeps its own", () => {
    const change = (rows: typeof values.rows) => categoryChange(face, { ...values, rows });
    const instead = changeRow(addRow(removeRow(values.rows, 3)), 3, { label: "hoof" });
    expect(change(instead)).toMatchObject({ keypoint_labels: ["eye", "nose", "hoof"], label_ids: [1, 2, null] });
    const renamed = changeRow(changeRow(values.rows, 1, { label: "left eye" }), 3, { label: "left ear" });
    expect(change(renamed)).toMatchObject({ label_ids: [1, 2, 3] });
  });

  it("the first labels of a category have no ids, so that the server numbers them", () => {
    const none = { ...face, keypoint_labels: [], keypoint_edges: [], keypoint_colors: [], keypoint_label_ids: [] };
    const rows = changeRow(addRow([]), 1, { label: "eye" });
    expect(categoryChange(none, { ...valuesOf(none), rows })).not.toHaveProperty("label_ids");
  });
});

describe("removed labels", () => {
  const lost = (rows: typeof values.rows) =>
    labelsLost(face, categoryChange(face, { ...values, rows })).map(({ name }) => name);

  it("removed labels are those that were deleted", () => {
    expect(lost(values.rows)).toEqual([]);
    expect(lost(removeRow(removeRow(values.rows, 1), 3))).toEqual(["eye", "ear"]);
    expect(lost(changeRow(values.rows, 1, { label: "" }))).toEqual(["eye"]);
  });

  it("removed labels do not include renamed labels, nor one that is added again by its name", () => {
    expect(lost(changeRow(values.rows, 2, { label: "beak" }))).toEqual([]);
    expect(lost(changeRow(changeRow(values.rows, 1, { label: "left eye" }), 3, { label: "left ear" }))).toEqual([]);
    expect(lost(changeRow(addRow(removeRow(values.rows, 2)), 4, { label: "nose" }))).toEqual([]);
  });

  it("removed labels include one whose place a new label takes", () => {
    expect(lost(changeRow(addRow(removeRow(values.rows, 3)), 3, { label: "hoof" }))).toEqual(["ear"]);
  });
});
