import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KEYPOINT_PALETTE } from "../../../shared/constants";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { KeypointError, toStored, toWire } from "../../../shared/rules/keypointDefinition";
import { newLabelIds } from "../../../shared/rules/newLabelIds";

const face = toStored(NO_KEYPOINTS, {
  labels: ["nose", "left eye", "right eye"],
  edges: [
    [1, 2],
    [1, 3],
  ],
});

const idOf = newLabelIds(face);

describe("the keypoint definition of a category", () => {
  test("the definition is returned as it was sent", () => {
    expect(toWire(face)).toEqual({
      keypoint_labels: ["nose", "left eye", "right eye"],
      keypoint_edges: [
        [1, 2],
        [1, 3],
      ],
      keypoint_colors: KEYPOINT_PALETTE.slice(0, 3),
      keypoint_label_ids: [1, 2, 3],
    });
  });

  test("keeps label ids, colours and edges when labels change places", () => {
    const turned = toStored(face, { labels: ["right eye", "nose", "left eye"] });
    expect(toWire(turned)).toEqual({
      keypoint_labels: ["right eye", "nose", "left eye"],
      keypoint_edges: [
        [2, 3],
        [2, 1],
      ],
      keypoint_colors: [KEYPOINT_PALETTE[2], KEYPOINT_PALETTE[0], KEYPOINT_PALETTE[1]],
      keypoint_label_ids: [3, 1, 2],
    });
  });

  test("keeps the id of a single label renamed in place", () => {
    expect(toWire(toStored(face, { labels: ["nose", "eye", "right eye"] })).keypoint_label_ids).toEqual([1, 2, 3]);
  });

  test("treats two new names as two new labels", () => {
    const changed = toStored(face, { labels: ["nose", "a", "b"] });
    expect(toWire(changed).keypoint_label_ids).toEqual([1, idOf("a"), idOf("b")]);
    expect(changed.removed.map((label) => label.id)).toEqual([2, 3]);
    expect(changed.edges).toEqual([]);
  });

  test("treats a new name at another place as a new label", () => {
    expect(toWire(toStored(face, { labels: ["nose", "right eye", "ear"] })).keypoint_label_ids).toEqual([
      1,
      3,
      idOf("ear"),
    ]);
  });

  test("returns its former id to a removed label of the same name", () => {
    const without = toStored(face, { labels: ["nose", "left eye"] });
    expect(without.removed.map((label) => label.name)).toEqual(["right eye"]);
    const again = toStored(without, { labels: ["right eye", "nose", "left eye"] });
    expect(toWire(again).keypoint_label_ids).toEqual([3, 1, 2]);
    expect(again.removed).toEqual([]);
  });

  test("gives an id to labels that are sent without one, and removed labels of their names back", () => {
    const instead = toStored(face, { labels: ["nose", "left eye", "hoof"], ids: [1, 2, null] });
    expect(toWire(instead).keypoint_label_ids).toEqual([1, 2, idOf("hoof")]);
    expect(instead.removed.map(({ id }) => id)).toEqual([3]);
    const again = toStored(face, { labels: ["right eye", "nose"], ids: [null, 1] });
    expect(toWire(again).keypoint_label_ids).toEqual([3, 1]);
    const without = toStored(face, { labels: ["nose"] });
    expect(toWire(toStored(without, { labels: ["left eye"], ids: [null] })).keypoint_label_ids).toEqual([2]);
    expect(() => toStored(face, { labels: ["nose", "hoof"], ids: [1] })).toThrow(KeypointError);
  });

  test("never reuses the id of a removed label for another", () => {
    const without = toStored(face, { labels: ["nose"] });
    expect(toWire(toStored(without, { labels: ["nose", "ear"] })).keypoint_label_ids).toEqual([1, idOf("ear")]);
  });

  test("uses given colours, else the palette in order, again from the start after 32", () => {
    const labels = Array.from({ length: 34 }, (_, i) => `l${i}`);
    const stored = toStored(NO_KEYPOINTS, { labels, colors: ["#ABCDEF", ""] });
    expect(stored.labels[0]?.color).toBe("#abcdef");
    expect(stored.labels[1]?.color).toBe(KEYPOINT_PALETTE[1]);
    expect(stored.labels[33]?.color).toBe(KEYPOINT_PALETTE[1]);
  });

  test("merges equal edges of either direction, and drops loops", () => {
    const stored = toStored(face, {
      edges: [
        [1, 2],
        [2, 1],
        [3, 3],
        [3, 2],
      ],
    });
    expect(stored.edges).toEqual([
      [1, 2],
      [3, 2],
    ]);
  });

  test.each([
    [{ labels: ["a", "a"] }, "Duplicate keypoint label"],
    [{ labels: ["a", " "] }, "Label is required"],
    [{ labels: ["a", ""], edges: [[1, 2]] as [number, number][] }, "Label is required"],
    [{ labels: ["a"], edges: [[1, 2]] as [number, number][] }, "Edges may connect only existing labels"],
    [{ labels: ["a"], edges: [[0, 1]] as [number, number][] }, "Edges may connect only existing labels"],
    [{ labels: ["a"], colors: ["red"] }, "Invalid HEX color."],
  ])("refuses %j", (input, message) => {
    expect(() => toStored(NO_KEYPOINTS, input)).toThrow(message);
  });

  test("never loses or reuses an id, for any changes of the labels", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 8 }), (steps) => {
        let definition = NO_KEYPOINTS;
        for (const labels of steps) {
          const before = [...definition.labels, ...definition.removed].map((label) => label.id);
          definition = toStored(definition, { labels });
          const after = [...definition.labels, ...definition.removed].map((label) => label.id);
          expect(new Set(after).size).toBe(after.length);
          expect(after).toEqual(expect.arrayContaining(before));
          expect(toWire(definition).keypoint_labels).toEqual(labels);
        }
      }),
    );
  });
});
