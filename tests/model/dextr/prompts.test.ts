import { describe, expect, it } from "vitest";
import { boxOf } from "../../../model/dextr/base/points";
import { promptOfBox, promptOfShape } from "../../../model/dextr/prompts";

describe("promptOfShape", () => {
  it("takes the extreme points of all pieces, so that the box of their pixels is the shape's", () => {
    const rings = [[[30, 10, 50, 40, 20, 45]], [[60, 30, 80, 38, 62, 60]]];
    const { points, isBox } = promptOfShape(rings)!;
    expect(isBox).toBeUndefined();
    expect(boxOf(points)).toEqual({ left: 20, top: 10, right: 80, bottom: 60 });
    expect(points).toEqual([
      [29.5, 10],
      [20, 44.5],
      [61.5, 59],
      [79, 37.5],
    ]);
  });

  it("takes the middle of an edge that is extreme as a whole, as where the image's border cuts an object", () => {
    const { points } = promptOfShape([[[50, 10, 90, 60, 90, 100, 0, 100, 0, 80]]])!;
    expect(points[2]).toEqual([44.5, 99]);
    expect(points[3]).toEqual([89, 79.5]);
  });

  it("treats a rectangle as a box, and no other shape", () => {
    expect(promptOfShape([[[10, 20, 110, 20, 110, 80, 10, 80]]])).toEqual(promptOfBox([10, 20, 100, 60]));
    expect(promptOfShape([[[10, 20, 110, 20, 110, 80, 11, 80]]])?.isBox).toBeUndefined();
  });

  it("returns null for a shape without area", () => {
    expect(promptOfShape([])).toBeNull();
    expect(promptOfShape([[[5, 5, 20, 5]]])).toBeNull();
  });
});

describe("promptOfBox", () => {
  it("clicks the outermost pixels in the middles of the sides, so that the box of the clicks is the given box", () => {
    const { points, isBox } = promptOfBox([10, 20, 100, 60]);
    expect(isBox).toBe(true);
    expect(points).toEqual([
      [59.5, 20],
      [10, 49.5],
      [59.5, 79],
      [109, 49.5],
    ]);
    expect(boxOf(points)).toEqual({ left: 10, top: 20, right: 110, bottom: 80 });
  });

  it("keeps a box thinner than a pixel inside one pixel", () => {
    expect(boxOf(promptOfBox([10, 20, 0.4, 0.2]).points)).toEqual({ left: 10, top: 20, right: 11, bottom: 21 });
  });
});
