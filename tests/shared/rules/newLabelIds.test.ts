import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { toStored } from "../../../shared/rules/keypointDefinition";
import { moveKeypoints } from "../../../shared/rules/keypointTriples";
import { MAX_LABEL_ID, newLabelIds } from "../../../shared/rules/newLabelIds";

const label = (id: number, name: string) => ({ id, name, color: "#000000" });
const dog = toStored(NO_KEYPOINTS, { labels: ["tail", "paw"] });

describe("the ids of new keypoint labels", () => {
  test("ids depend on the name alone, not on what another user adds first", () => {
    const [nose, ear] = ["nose", "ear"].map(newLabelIds(dog));
    const [earFirst, noseSecond] = ["ear", "nose"].map(newLabelIds({ ...dog, removed: [label(9, "hoof")] }));
    expect([earFirst, noseSecond]).toEqual([ear, nose]);
    expect(newLabelIds(toStored(dog, { labels: ["tail", "paw", "ear"] }))("nose")).toBe(nose);
  });

  test("ids are the same whether a label is added or arrives with an annotation", () => {
    const person = toStored(NO_KEYPOINTS, { labels: ["nose", "ear"] });
    const { points, to } = moveKeypoints([{ label: 2, x: 1, y: 1, v: 2 }], person, dog);
    const added = toStored(dog, { labels: ["tail", "paw", "ear"] });
    expect(points[0]?.label).toBe(added.labels[2]?.id);
    // Hidden keypoints appear when their label is added.
    expect(toStored(to, { labels: ["tail", "paw", "ear"] }).labels[2]?.id).toBe(points[0]?.label);
  });

  test("ids differ for points of different names that two users add to one category at once", () => {
    const person = toStored(NO_KEYPOINTS, { labels: ["nose", "ear"] });
    const hers = moveKeypoints([{ label: 1, x: 1, y: 1, v: 2 }], person, dog);
    const his = moveKeypoints([{ label: 2, x: 2, y: 2, v: 2 }], person, dog);
    expect(his.points[0]?.label).not.toBe(hers.points[0]?.label);
    // The server already has hers when his arrive.
    expect(moveKeypoints([{ label: 2, x: 2, y: 2, v: 2 }], person, hers.to).points).toEqual(his.points);
  });

  test("ids are those of removed labels of the name, and never those of other labels", () => {
    expect(newLabelIds({ labels: [], removed: [label(7, "nose")] })("nose")).toBe(7);
    const nose = newLabelIds(dog)("nose");
    const after = newLabelIds({ labels: [label(nose, "x")], removed: [label(nose + 1, "y")] })("nose");
    expect(after).toBe(nose + 2);
    expect(newLabelIds({ labels: [label(MAX_LABEL_ID, "x")], removed: [] })("nose")).toBe(nose);
  });

  test("ids are between 1 and 2^30 for any name, and stable", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), (names) => {
        const idOf = newLabelIds(dog);
        const ids = names.map(idOf);
        expect(new Set(ids).size).toBe(names.length);
        expect(ids.every((id) => Number.isInteger(id) && id >= 1 && id <= MAX_LABEL_ID)).toBe(true);
        expect(names.map(idOf)).toEqual(ids);
      }),
    );
  });

  test("higher ids are refused from clients, except for those that a category has", () => {
    const labels = ["tail", "paw", "ear"];
    expect(() => toStored(dog, { labels, ids: [1, 2, MAX_LABEL_ID + 1] })).toThrow("too large");
    expect(toStored(dog, { labels, ids: [1, 2, MAX_LABEL_ID] }).labels[2]?.id).toBe(MAX_LABEL_ID);
    const old = { ...dog, removed: [label(MAX_LABEL_ID + 5, "ear")] };
    expect(toStored(old, { labels, ids: [1, 2, MAX_LABEL_ID + 5] }).labels[2]?.id).toBe(MAX_LABEL_ID + 5);
  });
});
