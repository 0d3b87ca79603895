import { describe, expect, it } from "vitest";
import { boxRing, keypointBbox, measure, shapeRings } from "../../../shared/coco/measure";

describe("measure", () => {
  it("counts pixels and returns their box, cut off at the image's edges", () => {
    expect(measure([[[1, 2, 11, 2, 11, 12, 1, 12]]], 100, 100)).toEqual({ area: 100, bbox: [1, 2, 10, 10] });
    expect(measure([[[-5, -5, 5, -5, 5, 5, -5, 5]]], 100, 100)).toEqual({ area: 25, bbox: [0, 0, 5, 5] });
  });

  it("excludes holes from the area", () => {
    const polygon = [
      [0, 0, 10, 0, 10, 10, 0, 10],
      [2, 2, 8, 2, 8, 8, 2, 8],
    ];
    expect(measure([polygon], 20, 20)).toEqual({ area: 64, bbox: [0, 0, 10, 10] });
  });

  it("is zero for an empty shape", () => {
    expect(measure([], 20, 20)).toEqual({ area: 0, bbox: [0, 0, 0, 0] });
    expect(measure([[[1, 1]]], 20, 20)).toEqual({ area: 0, bbox: [0, 0, 0, 0] });
  });
});

describe("keypointBbox", () => {
  it("covers labelled points only", () => {
    const points = [
      { label: 1, x: 10, y: 20.5, v: 2 },
      { label: 2, x: 4, y: 40, v: 1 },
      { label: 3, x: 900, y: 900, v: 0 },
    ];
    expect(keypointBbox(points)).toEqual([4, 20.5, 6, 19.5]);
    expect(keypointBbox(points.slice(2))).toEqual([0, 0, 0, 0]);
    expect(keypointBbox([])).toEqual([0, 0, 0, 0]);
  });
});

describe("shapeRings", () => {
  const bbox: [number, number, number, number] = [1, 2, 3, 4];

  it("returns the rings of every form in which a shape is stored", () => {
    const ring = [0, 0, 5, 0, 5, 5];
    expect(shapeRings([ring, ring], bbox, false)).toEqual([[ring], [ring]]);
    expect(shapeRings({ rings: [[ring, ring]] }, bbox, false)).toEqual([[ring, ring]]);
    expect(shapeRings({ size: [3, 4], counts: [4, 2, 6] }, bbox, false)).toEqual([[[1, 1, 2, 1, 2, 3, 1, 3]]]);
    expect(shapeRings({ size: [11, 15], counts: "U5" }, bbox, false)).toEqual([]);
    expect(shapeRings(null, bbox, true)).toEqual([[boxRing(bbox)]]);
    expect(shapeRings(null, bbox, false)).toEqual([]);
  });

  it("returns a box as its four corners", () => {
    expect(boxRing(bbox)).toEqual([1, 2, 4, 2, 4, 6, 1, 6]);
  });
});
