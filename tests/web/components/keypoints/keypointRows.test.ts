import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addRow,
  changeRow,
  errorsOf,
  keypointsOf,
  moveRow,
  removeRow,
  rowsOf,
  setEdges,
} from "../../../../web/components/keypoints/keypointRows";

const definition = {
  keypoint_labels: ["nose", "left eye", "right eye"],
  keypoint_edges: [
    [1, 2],
    [1, 3],
  ] as [number, number][],
  keypoint_colors: ["#bf5c4d", "#d99100", "#4d8068"],
};

describe("the keypoint editor", () => {
  it("returns a definition unchanged", () => {
    expect(keypointsOf(rowsOf(definition))).toEqual(definition);
  });

  it("renumbers the edges when a label is removed, and drops the edges of that label", () => {
    expect(keypointsOf(removeRow(rowsOf(definition), 2))).toEqual({
      keypoint_labels: ["nose", "right eye"],
      keypoint_edges: [[1, 2]],
      keypoint_colors: ["#bf5c4d", "#4d8068"],
    });
  });

  it("moves a label within the list, with its edges", () => {
    const rows = rowsOf(definition);
    expect(keypointsOf(moveRow(rows, 3, -2))).toEqual({
      keypoint_labels: ["right eye", "nose", "left eye"],
      keypoint_edges: [
        [1, 2],
        [2, 3],
      ],
      keypoint_colors: ["#4d8068", "#bf5c4d", "#d99100"],
    });
    for (const [key, by] of [
      [1, -1],
      [3, 1],
      [2, 0],
    ] as const)
      expect(moveRow(rows, key, by)).toEqual(rows);
  });

  it("connects both ends, and lists each edge once", () => {
    const rows = setEdges(rowsOf(definition), 3, [2]);
    expect(rows.map((row) => row.edges)).toEqual([[2], [1, 3], [2]]);
    expect(keypointsOf(rows).keypoint_edges).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it("uses the colours of the palette in order, repeatedly", () => {
    let rows = rowsOf({ keypoint_labels: [], keypoint_edges: [], keypoint_colors: [] });
    for (let count = 0; count < 33; count++) rows = addRow(rows);
    expect(rows[0]!.color).toBe("#bf5c4d");
    expect(rows[31]!.color).toBe("#e673a1");
    expect(rows[32]!.color).toBe("#bf5c4d");
    expect(new Set(rows.map((row) => row.key)).size).toBe(33);
  });

  it("marks duplicates on both rows, and rows without a name", () => {
    const rows = rowsOf(definition);
    expect(errorsOf(rows).size).toBe(0);
    const twice = changeRow(rows, 2, { label: " nose " });
    expect([...errorsOf(twice)]).toEqual([
      [1, "Duplicate keypoint label"],
      [2, "Duplicate keypoint label"],
    ]);
    expect([...errorsOf(changeRow(rows, 3, { label: " " }))]).toEqual([[3, "Label is required"]]);
    expect([...errorsOf(addRow(rows))]).toEqual([[4, "Label is required"]]);
  });

  it("never adds an edge to a missing label, for any input", () => {
    const step = fc.oneof(
      fc.constant((rows: ReturnType<typeof rowsOf>) => addRow(rows)),
      fc.nat(5).map((key) => (rows: ReturnType<typeof rowsOf>) => removeRow(rows, key)),
      fc.tuple(fc.nat(5), fc.string({ maxLength: 2 })).map(
        ([key, label]) =>
          (rows: ReturnType<typeof rowsOf>) =>
            changeRow(rows, key, { label }),
      ),
      fc.tuple(fc.nat(5), fc.nat(5)).map(([key, other]) => (rows: ReturnType<typeof rowsOf>) => {
        const others = rows.filter((row) => row.key === other && row.key !== key).map((row) => row.key);
        return setEdges(rows, key, others);
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const rows = steps.reduce((now, next) => next(now), rowsOf(definition));
        const { keypoint_labels: labels, keypoint_edges: edges } = keypointsOf(rows);
        for (const [a, b] of edges) expect(a >= 1 && a < b && b <= labels.length).toBe(true);
        expect(new Set(edges.map(String)).size).toBe(edges.length);
      }),
    );
  });
});
