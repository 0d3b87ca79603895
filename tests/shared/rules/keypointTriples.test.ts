import { describe, expect, test } from "vitest";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { toStored } from "../../../shared/rules/keypointDefinition";
import {
  countLabeledKeypoints,
  fromTriples,
  hiddenPoints,
  moveKeypoints,
  oncePerLabel,
  toTriples,
} from "../../../shared/rules/keypointTriples";

const person = toStored(NO_KEYPOINTS, { labels: ["nose", "eye", "ear"] });

describe("keypoint triples", () => {
  test("triples are returned unchanged, with unset points as zeros", () => {
    const flat = [1.5, 2, 2, 0, 0, 0, -3, 4, 1];
    const { points, extraKeypoints } = fromTriples(flat, person);
    expect(points).toEqual([
      { label: 1, x: 1.5, y: 2, v: 2 },
      { label: 3, x: -3, y: 4, v: 1 },
    ]);
    expect(extraKeypoints).toEqual([]);
    expect(toTriples(points, person)).toEqual(flat);
    expect(countLabeledKeypoints(points, person)).toBe(2);
  });

  test("triples keep an unlabelled point with coordinates", () => {
    const flat = [7, 8, 0, 0, 0, 0, 0, 0, 0];
    const { points } = fromTriples(flat, person);
    expect(toTriples(points, person)).toEqual(flat);
    expect(countLabeledKeypoints(points, person)).toBe(0);
  });

  test("extra triples are returned although the category has no label for them", () => {
    expect(fromTriples([1, 1, 2, 0, 0, 0, 2, 2, 2, 9, 9, 2], person).extraKeypoints).toEqual([9, 9, 2]);
    expect(fromTriples([1, 1, 2], NO_KEYPOINTS)).toEqual({ points: [], extraKeypoints: [1, 1, 2] });
  });

  test("fewer triples than labels are accepted", () => {
    expect(fromTriples([1, 1, 2], person).points).toEqual([{ label: 1, x: 1, y: 1, v: 2 }]);
  });

  test("triples follow the labels when these change places, and are hidden with a removed label", () => {
    const { points } = fromTriples([1, 1, 2, 2, 2, 2, 3, 3, 2], person);
    const turned = toStored(person, { labels: ["ear", "nose"] });
    expect(toTriples(points, turned)).toEqual([3, 3, 2, 1, 1, 2]);
    expect(hiddenPoints(points, turned)).toEqual([{ label: 2, x: 2, y: 2, v: 2 }]);
  });

  test("invalid triples and unknown visibilities are refused", () => {
    expect(() => fromTriples([1, 2], person)).toThrow("Keypoints are triples");
    expect(() => fromTriples([1, 2, 4], person)).toThrow("Visibility");
    expect(() => fromTriples([1, 2, 1.5], person)).toThrow("Visibility");
  });

  test("triples lose nothing on the way to another category and back", () => {
    const { points } = fromTriples([1, 1, 2, 2, 2, 1, 3, 3, 2], person);
    const dog = toStored(NO_KEYPOINTS, { labels: ["tail", "ear"] });
    const there = moveKeypoints(points, person, dog);
    expect(toTriples(there.points, there.to)).toEqual([0, 0, 0, 3, 3, 2]);
    const back = moveKeypoints(there.points, there.to, person);
    expect(back.points).toEqual(points);
    expect(back.to).toBe(person);
  });

  describe("triples of a removed label with the name of an existing one", () => {
    // "nose" is removed, and "eye" now has its name.
    const renamed = toStored(person, { labels: ["nose", "ear"], ids: [2, 3] });
    const { points } = fromTriples([1, 1, 2, 2, 2, 2, 3, 3, 2], person);
    const dog = toStored(NO_KEYPOINTS, { labels: ["nose", "tail"] });

    test("triples stay hidden in a category that has the name, and return", () => {
      for (const given of [points, points.toReversed()]) {
        const there = moveKeypoints(given, renamed, dog);
        expect(new Set(there.points.map((point) => point.label)).size).toBe(3);
        expect(toTriples(there.points, there.to)).toEqual([2, 2, 2, 0, 0, 0]);
        expect(countLabeledKeypoints(there.points, there.to)).toBe(1);
        const back = moveKeypoints(there.points, there.to, renamed);
        expect(back.points).toEqual(given);
        expect(back.to).toBe(renamed);
      }
    });

    test("triples stay hidden and separate if the name is new there", () => {
      const empty = moveKeypoints(points, renamed, NO_KEYPOINTS);
      expect(new Set(empty.points.map((point) => point.label)).size).toBe(3);
      expect(empty.to.removed.map(({ name }) => name)).toEqual(["nose", "ear", "nose"]);
      // The next user who moves an annotation finds the same labels.
      expect(moveKeypoints(points, renamed, empty.to)).toEqual({ points: empty.points, to: empty.to });
      expect(moveKeypoints(empty.points, empty.to, renamed).points).toEqual(points);
    });

    test("triples are visible if the name is free", () => {
      const there = moveKeypoints(points.slice(0, 1), renamed, dog);
      expect(toTriples(there.points, there.to)).toEqual([1, 1, 2, 0, 0, 0]);
    });
  });

  test("triples stored twice under one label count once, as the last one", () => {
    const [hidden, live, ear] = [
      { label: 1, x: 1, y: 1, v: 2 },
      { label: 1, x: 2, y: 2, v: 2 },
      { label: 3, x: 3, y: 3, v: 2 },
    ];
    const doubled = [hidden!, live!, ear!];
    expect(oncePerLabel(doubled)).toEqual([live, ear]);
    expect(toTriples(doubled, person)).toEqual([2, 2, 2, 0, 0, 0, 3, 3, 2]);
    expect(countLabeledKeypoints(doubled, person)).toBe(2);
    expect(moveKeypoints(doubled, person, person).points).toEqual([live, ear]);
    const without = toStored(person, { labels: ["eye", "ear"] });
    expect(hiddenPoints(doubled, without)).toEqual([live]);
  });
});
