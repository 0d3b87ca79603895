import { describe, expect, test } from "vitest";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { toStored } from "../../../shared/rules/keypointDefinition";
import {
  countLabeled,
  fromTriples,
  hiddenPoints,
  moveKeypoints,
  toTriples,
} from "../../../shared/rules/keypointTriples";

const person = toStored(NO_KEYPOINTS, { labels: ["nose", "eye", "ear"] });

describe("keypoint triples", () => {
  test("come back as they went, with unset points as zeros", () => {
    const flat = [1.5, 2, 2, 0, 0, 0, -3, 4, 1];
    const { points, beyond } = fromTriples(flat, person);
    expect(points).toEqual([
      { label: 1, x: 1.5, y: 2, v: 2 },
      { label: 3, x: -3, y: 4, v: 1 },
    ]);
    expect(beyond).toEqual([]);
    expect(toTriples(points, person)).toEqual(flat);
    expect(countLabeled(points, person)).toBe(2);
  });

  test("keep a point with coordinates that is not labeled", () => {
    const flat = [7, 8, 0, 0, 0, 0, 0, 0, 0];
    const { points } = fromTriples(flat, person);
    expect(toTriples(points, person)).toEqual(flat);
    expect(countLabeled(points, person)).toBe(0);
  });

  test("hand back what the category has no label for", () => {
    expect(fromTriples([1, 1, 2, 0, 0, 0, 2, 2, 2, 9, 9, 2], person).beyond).toEqual([9, 9, 2]);
    expect(fromTriples([1, 1, 2], NO_KEYPOINTS)).toEqual({ points: [], beyond: [1, 1, 2] });
  });

  test("may be fewer than the labels", () => {
    expect(fromTriples([1, 1, 2], person).points).toEqual([{ label: 1, x: 1, y: 1, v: 2 }]);
  });

  test("follow the labels when these change places, and hide with a removed label", () => {
    const { points } = fromTriples([1, 1, 2, 2, 2, 2, 3, 3, 2], person);
    const turned = toStored(person, { labels: ["ear", "nose"] });
    expect(toTriples(points, turned)).toEqual([3, 3, 2, 1, 1, 2]);
    expect(hiddenPoints(points, turned)).toEqual([{ label: 2, x: 2, y: 2, v: 2 }]);
  });

  test("are refused when they are no triples or have an unknown visibility", () => {
    expect(() => fromTriples([1, 2], person)).toThrow("Keypoints are triples");
    expect(() => fromTriples([1, 2, 4], person)).toThrow("Visibility");
    expect(() => fromTriples([1, 2, 1.5], person)).toThrow("Visibility");
  });

  test("lose nothing on the way to another category and back", () => {
    const { points } = fromTriples([1, 1, 2, 2, 2, 1, 3, 3, 2], person);
    const dog = toStored(NO_KEYPOINTS, { labels: ["tail", "ear"] });
    const there = moveKeypoints(points, person, dog);
    expect(toTriples(there.points, there.to)).toEqual([0, 0, 0, 3, 3, 2]);
    const back = moveKeypoints(there.points, there.to, person);
    expect(back.points).toEqual(points);
    expect(back.to).toBe(person);
  });
});
