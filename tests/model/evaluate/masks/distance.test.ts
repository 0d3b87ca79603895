import { describe, expect, it } from "vitest";
import { deepest, squaredDistances } from "../../../../model/evaluate/masks/distance";
import { bitmapOfRows } from "../../../support/bitmaps";
import { seededRandom } from "../../../support/seededRandom";

describe("squared distances", () => {
  it("are those to the nearest pixel that is not set or outside, for random bitmaps", () => {
    const random = seededRandom(8);
    for (let n = 0; n < 20; n++) {
      const [width, height] = [9, 7];
      const data = Uint8Array.from({ length: width * height }, () => (random() < 0.8 ? 1 : 0));
      const isSet = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && data[y * width + x] === 1;
      squaredDistances({ width, height, data }).forEach((found, i) => {
        let nearest = Number.POSITIVE_INFINITY;
        for (let y = -1; y <= height; y++)
          for (let x = -1; x <= width; x++)
            if (!isSet(x, y)) nearest = Math.min(nearest, (x - (i % width)) ** 2 + (y - Math.floor(i / width)) ** 2);
        expect(found).toBe(nearest);
      });
    }
  });
});

describe("the deepest pixel", () => {
  it("is the middle of the largest area", () => {
    expect(deepest(bitmapOfRows("1100000", "1101110", "0001110", "0001110", "0000000"))).toEqual([4, 2]);
  });

  it("is the first of several, and none in an empty bitmap", () => {
    expect(deepest(bitmapOfRows("010", "000", "010"))).toEqual([1, 0]);
    expect(deepest(bitmapOfRows("00"))).toBeNull();
  });
});
