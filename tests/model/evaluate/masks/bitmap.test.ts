import { describe, expect, it } from "vitest";
import { type Bitmap, iou, rasterise } from "../../../../model/evaluate/masks/bitmap";
import { ringsContain } from "../../../../shared/geometry/polygons";
import { seededRandom } from "../../../support/seededRandom";

function rowsOf({ width, data }: Bitmap): string[] {
  return Array.from({ length: data.length / width }, (_, y) => data.slice(y * width, (y + 1) * width).join(""));
}

describe("rasterise", () => {
  it("sets the pixels whose centres are inside, except those in holes", () => {
    const outer = [1, 0.6, 5.4, 0.6, 5.4, 4, 1, 4];
    const hole = [2, 2, 3, 2, 3, 3, 2, 3];
    expect(rowsOf(rasterise([[outer, hole]], 6, 5))).toEqual(["000000", "011110", "010110", "011110", "000000"]);
  });

  it("cuts off what lies outside the image", () => {
    expect(rowsOf(rasterise([[[-9, -9, 2, -9, 2, 99, -9, 99]]], 3, 2))).toEqual(["110", "110"]);
  });

  it("agrees with the polygons at every pixel's centre", () => {
    const random = seededRandom(5);
    for (let n = 0; n < 20; n++) {
      const ring = Array.from({ length: 14 }, () => random() * 30 - 5);
      const { data } = rasterise([[ring]], 20, 20);
      data.forEach((bit, i) => {
        expect(bit === 1).toBe(ringsContain([[ring]], (i % 20) + 0.5, Math.floor(i / 20) + 0.5));
      });
    }
  });
});

describe("intersection over union", () => {
  const bits = (...data: number[]): Bitmap => ({ width: data.length, height: 1, data: Uint8Array.from(data) });

  it("counts pixels except the ignored ones", () => {
    expect(iou(bits(1, 1, 0, 0), bits(0, 1, 1, 0), null)).toBeCloseTo(1 / 3);
    expect(iou(bits(1, 1, 0, 0), bits(0, 1, 1, 0), bits(1, 0, 0, 1))).toBeCloseTo(1 / 2);
  });

  it("is 1 for two empty masks", () => {
    expect(iou(bits(0, 0), bits(0, 0), null)).toBe(1);
  });
});
