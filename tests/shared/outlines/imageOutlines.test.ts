import { describe, expect, it } from "vitest";
import { ringsToRle } from "../../../shared/coco/mask";
import type { Ring } from "../../../shared/entities/shape";
import { nearestOnOutline } from "../../../shared/geometry/ring";
import { ImageOutlines, MAX_OUTLINED, type Outlined } from "../../../shared/outlines/imageOutlines";

/** Width and height of an image with one unit for every two pixels. */
const SIZE = [1000, 500] as const;
const NOTHING: Outlined = { category_id: 1, rings: [], rle: null, bbox: [0, 0, 0, 0], keypoints: null };

function outlinesOf(...list: Partial<Outlined>[]) {
  const outlines = new ImageOutlines(...SIZE);
  for (const annotation of list) outlines.add({ ...NOTHING, ...annotation });
  return outlines.result();
}

/** Returns the absolute points of each part of a path. */
function pointsOf(path: string): Ring[] {
  return path
    .split("M")
    .slice(1)
    .map((part) => {
      const [x = 0, y = 0, ...steps] = (part.match(/-?\d+/g) ?? []).map(Number);
      const points = [x, y];
      for (let i = 0; i + 1 < steps.length; i += 2)
        points.push(points.at(-2)! + steps[i]!, points.at(-1)! + steps[i + 1]!);
      return points;
    });
}

function circle(count: number, radius: number, [x, y] = [500, 250]): Ring {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [x! + radius * Math.cos(angle), y! + radius * Math.sin(angle)];
  }).flat();
}

describe("outlines of an image", () => {
  it("are closed paths in half pixels of a thumbnail, joined by category", () => {
    const box = [[[100, 100, 300, 100, 300, 200, 100, 200]]];
    const line = [[[0, 0, 40, 40, 0, 40]]];
    expect(outlinesOf({ rings: box }, { category_id: 7, rings: line }, { rings: line })).toEqual([
      { category: 1, path: "M50 50l100 0 0 50-100 0zM0 0l20 20-20 0z" },
      { category: 7, path: "M0 0l20 20-20 0z" },
    ]);
  });

  it("have holes that run opposite to the outer ring, in whatever direction the stored rings run", () => {
    const outer = [100, 100, 300, 100, 300, 200, 100, 200];
    const hole = [150, 120, 250, 120, 250, 180];
    const reversed = (ring: Ring) => [250, 180, 250, 120, 150, 120].slice(0, ring.length);
    const [a] = outlinesOf({ rings: [[outer, hole]] });
    const [b] = outlinesOf({ rings: [[outer, reversed(hole)]] });
    const areas = [a, b].map((each) => pointsOf(each!.path).map(shoelace).map(Math.sign));
    expect(areas).toEqual([
      [1, -1],
      [1, -1],
    ]);
  });

  it("have few points, and no point of the shape is farther away than a unit and a half", () => {
    const shape = circle(20_000, 200);
    const [outline] = outlinesOf({ rings: [[shape]] });
    const [points = []] = pointsOf(outline!.path);
    expect(points.length / 2).toBeLessThan(60);
    for (let i = 0; i < shape.length; i += 200)
      expect(nearestOnOutline(points, shape[i]! / 2, shape[i + 1]! / 2)!.distance).toBeLessThan(1.5);
  });

  it("show a shape below a unit and keypoints without a shape as dots", () => {
    const keypoints = [
      { label: 1, x: 20, y: 40, v: 2 as const },
      { label: 2, x: 0, y: 0, v: 0 as const },
    ];
    expect(outlinesOf({ rings: [[[10, 10, 10.4, 10, 10.4, 10.4]]] }, { category_id: 2, keypoints })).toEqual([
      { category: 1, path: "M5 5h0" },
      { category: 2, path: "M10 20h0" },
    ]);
  });

  it("show a mask from its runs, or its box if the runs cannot be read", () => {
    const shape = [[circle(60, 200)]];
    const counts = ringsToRle(shape, ...SIZE);
    const [outline] = outlinesOf({ rings: null, rle: { size: [500, 1000], counts } });
    const [points = []] = pointsOf(outline!.path);
    expect(Math.abs(shoelace(points) / (Math.PI * 100 * 100) - 1)).toBeLessThan(0.03);
    const bad = { size: [500, 1000] as [number, number], counts: [7] };
    expect(outlinesOf({ rings: null, rle: bad, bbox: [0, 0, 20, 20] })).toEqual([
      { category: 1, path: "M0 0l10 0 0 10-10 0z" },
    ]);
  });

  it("stay short for any number of points: annotations beyond the limit are boxes", () => {
    const jagged = Array.from({ length: 4000 }, (_, i) => [(i * 7) % 1000, (i * 13) % 500]).flat();
    const many = Array.from({ length: MAX_OUTLINED }, () => ({ rings: [[jagged]], bbox: [0, 0, 1000, 500] as never }));
    const [outline] = outlinesOf(...many);
    expect(outline!.path.length).toBeLessThan(120_000);
    expect(outline!.path.endsWith("M0 0l500 0 0 250-500 0z")).toBe(true);
  });
});

function shoelace(ring: Ring): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += ring[i]! * ring[j + 1]! - ring[j]! * ring[i + 1]!;
  }
  return sum / 2;
}
