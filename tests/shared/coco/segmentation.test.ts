import { describe, expect, it } from "vitest";
import { ringsToRle } from "../../../shared/coco/mask";
import { runsOf } from "../../../shared/coco/rle";
import { flatRings, hasHole, toSegmentation } from "../../../shared/coco/segmentation";

const outer = [0, 0, 10, 0, 10, 10, 0, 10];
const hole = [2, 2, 2, 8, 8, 8, 8, 2];

describe("toSegmentation", () => {
  it("returns an imported segmentation unchanged", () => {
    const list = [[1, 1, 1, 1, 5.125, 6, 1, 1], []];
    const text = { size: [11, 15] as [number, number], counts: "U5" };
    const counts = { size: [11, 15] as [number, number], counts: [0, 0, 165] };
    for (const shape of [list, text, counts, null])
      for (const iscrowd of [false, true]) expect(toSegmentation(shape, iscrowd, 15, 11)).toBe(shape);
  });

  it("writes polygons if there is no hole", () => {
    expect(toSegmentation({ rings: [[outer], [hole]] }, false, 20, 20)).toEqual([outer, hole]);
    expect(toSegmentation({ rings: [] }, false, 20, 20)).toEqual([]);
  });

  it("writes a compressed RLE if there is a hole, an uncompressed one for a crowd", () => {
    const rings = [[outer, hole]];
    const runs = ringsToRle(rings, 30, 20);
    const withHole = toSegmentation({ rings }, false, 30, 20);
    expect(withHole).toMatchObject({ size: [20, 30], counts: expect.any(String) });
    if (withHole === null || Array.isArray(withHole)) throw new Error("no RLE");
    expect(runsOf(withHole)).toEqual(runs);
    expect(toSegmentation({ rings }, true, 30, 20)).toEqual({ size: [20, 30], counts: runs });
    expect(toSegmentation({ rings: [[outer]] }, true, 30, 20)).toMatchObject({ counts: expect.any(Array) });
  });
});

describe("flatRings and hasHole", () => {
  it("flatRings includes the holes, and hasHole finds them", () => {
    expect(flatRings([[outer, hole], [outer]])).toEqual([outer, hole, outer]);
    expect(hasHole([[outer], [outer, hole]])).toBe(true);
    expect(hasHole([[outer], [outer]])).toBe(false);
  });

  it("toSegmentation returns a mask's rings if it has more pieces than an RLE may have", () => {
    const teeth = Array.from({ length: 3600 }, (_, i) => [i % 2 ? 4990 : 0, (i * 5000) / 3600]).flat();
    expect(toSegmentation({ rings: [[teeth]] }, true, 5000, 5000)).toEqual([teeth]);
  });
});
