import { expect, test } from "vitest";
import { figureLayout } from "../../../../web/components/keypoints/figureLayout";

const rows = (labels: readonly string[]) => labels.map((label, i) => ({ key: i + 1, label }));
const COCO = ["nose", "eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle"].flatMap((part) =>
  part === "nose" ? [part] : [`left_${part}`, `right_${part}`],
);

test("the labels of COCO's person are placed on a body that faces the viewer", () => {
  const places = figureLayout(rows(COCO));
  const at = (label: string) => places.get(COCO.indexOf(label) + 1)!;
  expect(new Set([...places.values()].map(String)).size).toBe(17);
  expect(at("left_knee")[0]).toBeGreaterThan(0.5);
  expect(at("right_knee")).toEqual([1 - at("left_knee")[0], at("left_knee")[1]]);
  const heights = ["nose", "left_shoulder", "left_hip", "left_knee", "left_ankle"].map((label) => at(label)[1]);
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
});

test("other spellings are understood, and labels without a place of their own are beside the body", () => {
  const labels = ["Nose", "LeftHip", "R Hip", "l-knee", "right knee", "phone", "nose tip"];
  const places = [...figureLayout(rows(labels)).values()];
  expect(new Set(places.map(String)).size).toBe(labels.length);
  expect(places.slice(5).map(([x]) => x)).toEqual([0.08, 0.08]);
});

test("labels that name no body are placed on a circle, from the top", () => {
  const places = figureLayout(rows(["bow", "mast", "stern", "keel"]));
  expect(places.get(1)).toEqual([0.5, expect.closeTo(0.08)]);
  expect(places.get(2)).toEqual([expect.closeTo(0.92), expect.closeTo(0.5)]);
  expect(figureLayout([]).size).toBe(0);
});
