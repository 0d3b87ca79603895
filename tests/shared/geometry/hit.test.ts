import { describe, expect, it } from "vitest";
import { hitTest, insertPoint } from "../../../shared/geometry/hit";
import { square } from "./shapes";

const rings = [[square(0, 0, 100), square(40, 40, 20)], [square(200, 0, 10)]];
const radii = { vertex: 5, outline: 5 };

describe("hitTest", () => {
  it("finds a vertex before the outline, also of a hole", () => {
    expect(hitTest(rings, 62, 61, radii)).toEqual({
      kind: "vertex",
      polygon: 0,
      ring: 1,
      vertex: 2,
      distance: Math.sqrt(5),
    });
  });

  it("finds the nearest of several vertices", () => {
    expect(hitTest([[square(0, 0, 4)]], 3, 3, radii)).toMatchObject({ kind: "vertex", vertex: 2 });
  });

  it("finds the outline from either side, and where a point would be inserted", () => {
    const hit = hitTest(rings, 50, -3, radii);
    expect(hit).toEqual({ kind: "outline", polygon: 0, ring: 0, after: 0, x: 50, y: 0, distance: 3 });
    expect(insertPoint(rings[0]![0]!, 0, 50, 0)).toEqual([0, 0, 50, 0, 100, 0, 100, 100, 0, 100]);
    expect(insertPoint([0, 0, 5, 0, 5, 5], 2, 2, 2)).toEqual([0, 0, 5, 0, 5, 5, 2, 2]);
    expect(hitTest(rings, 205, 13, radii)).toMatchObject({ kind: "outline", polygon: 1, after: 2 });
  });

  it("finds the inside, but nothing in a hole or outside", () => {
    expect(hitTest(rings, 20, 20, radii)).toEqual({ kind: "inside" });
    expect(hitTest(rings, 50, 50, radii)).toBeNull();
    expect(hitTest(rings, 150, 50, radii)).toBeNull();
    expect(hitTest([], 0, 0, radii)).toBeNull();
  });

  it("skips targets without a radius", () => {
    expect(hitTest(rings, 0, 50, { vertex: 0, outline: 0 })).toEqual({ kind: "inside" });
    expect(hitTest(rings, 1, 1, { vertex: 0, outline: 5 })).toMatchObject({ kind: "outline" });
  });
});
