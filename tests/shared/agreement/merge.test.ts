import { describe, expect, it } from "vitest";
import type { ComparedAnnotation } from "../../../shared/agreement/compared";
import { signedDistances } from "../../../shared/agreement/distances";
import { groupObjects } from "../../../shared/agreement/groups";
import { meanOutline } from "../../../shared/agreement/meanOutline";
import { meanOf, takeOne, unionOf } from "../../../shared/agreement/mergeObject";
import { areaOf, polygonsToRle, ringsToRle } from "../../../shared/coco/mask";
import { boxRing, measure } from "../../../shared/coco/measure";
import { maskOverlap } from "../../../shared/coco/overlap";
import type { Bbox, Ring } from "../../../shared/entities/shape";
import { seededRandom } from "../../support/seededRandom";

const SIZE = { width: 200, height: 160 };
const box = (...bbox: Bbox): ComparedAnnotation => ({
  category_id: 1,
  shape: null,
  bbox,
  isbbox: true,
  iscrowd: false,
  keypoints: null,
});
const outline = (...ring: Ring): ComparedAnnotation => ({
  ...box(0, 0, 0, 0),
  shape: { rings: [[ring]] },
  isbbox: false,
});
const disc = (x: number, y: number, radius: number): Ring =>
  Array.from({ length: 90 }, (_, i) => (i * Math.PI) / 45).flatMap((turn) => [
    x + radius * Math.cos(turn),
    y + radius * Math.sin(turn),
  ]);
const maskOf = (...rings: Ring[]) => polygonsToRle(rings, SIZE.width, SIZE.height);

describe("signedDistances", () => {
  it("equals the distances found by trying every pixel, on 30 random bitmaps", () => {
    const random = seededRandom(3);
    for (let round = 0; round < 30; round++) {
      const [width, height] = [4 + Math.floor(9 * random()), 4 + Math.floor(9 * random())];
      const share = random();
      const bitmap = Uint8Array.from({ length: width * height }, () => (random() < share ? 1 : 0));
      [bitmap[0], bitmap[1]] = [0, 1];
      const found = signedDistances(bitmap, width, height);
      for (let i = 0; i < bitmap.length; i++) {
        let nearest = Number.POSITIVE_INFINITY;
        for (let k = 0; k < bitmap.length; k++)
          if (bitmap[k] !== bitmap[i])
            nearest = Math.min(
              nearest,
              Math.hypot((i % width) - (k % width), Math.floor(i / width) - Math.floor(k / width)),
            );
        expect(found[i]).toBeCloseTo(bitmap[i] ? 0.5 - nearest : nearest - 0.5, 9);
      }
    }
  });
});

describe("meanOutline", () => {
  it("runs halfway between two squares, one inside the other", () => {
    const masks = [maskOf(boxRing([40, 40, 80, 80])), maskOf(boxRing([50, 50, 60, 60]))];
    const { area, bbox } = measure(meanOutline(masks, SIZE), SIZE.width, SIZE.height);
    expect(bbox).toEqual([45, 45, 70, 70]);
    // Corners are rounded a little, since distances to the inner square's corner are.
    expect(area).toBeGreaterThan(0.99 * 70 * 70);
  });

  it("is a disc of the mean radius for discs around one point", () => {
    const masks = [20, 30, 46].map((radius) => maskOf(disc(100, 80, radius)));
    const mean = ringsToRle(meanOutline(masks, SIZE), SIZE.width, SIZE.height);
    expect(maskOverlap(mean, maskOf(disc(100, 80, 32)))).toBeGreaterThan(0.97);
  });

  it("is the mask itself if all masks are equal, also at the image's border and with holes", () => {
    const ring = boxRing([0, 0, 200, 50]);
    const runs = ringsToRle([[ring, boxRing([20, 10, 20, 20])]], SIZE.width, SIZE.height);
    expect(ringsToRle(meanOutline([runs, runs, runs], SIZE), SIZE.width, SIZE.height)).toEqual(runs);
  });

  it("is empty for masks that are far from each other, and if one of them is empty", () => {
    const [left, right] = [maskOf(boxRing([0, 0, 10, 10])), maskOf(boxRing([150, 0, 10, 10]))];
    expect(meanOutline([left, right], SIZE)).toEqual([]);
    expect(meanOutline([left, [SIZE.width * SIZE.height]], SIZE)).toEqual([]);
  });
});

describe("merging an object", () => {
  it("takes the mean and the union of boxes as boxes", () => {
    const drawn = [box(10, 20, 100, 50), box(20, 20, 120, 70)];
    expect(meanOf(drawn, SIZE)).toMatchObject({ isbbox: true, rings: [[boxRing([15, 20, 110, 60])]] });
    expect(unionOf(drawn)).toMatchObject({ isbbox: true, rings: [[boxRing([10, 20, 130, 70])]] });
  });

  it("takes the union of outlines, and of an outline and a box", () => {
    const drawn = [outline(...boxRing([10, 10, 50, 50])), box(40, 10, 50, 50)];
    const { isbbox, rings } = unionOf(drawn);
    expect(isbbox).toBe(false);
    expect(measure(rings, SIZE.width, SIZE.height)).toEqual({ area: 80 * 50, bbox: [10, 10, 80, 50] });
  });

  it("keeps the smoothed mean outline within 2 % of the mean mask", () => {
    const drawn = [outline(...disc(90, 80, 40)), outline(...disc(100, 84, 44))];
    const exact = meanOutline([maskOf(disc(90, 80, 40)), maskOf(disc(100, 84, 44))], SIZE);
    const mean = ringsToRle(meanOf(drawn, SIZE).rings, SIZE.width, SIZE.height);
    expect(maskOverlap(mean, ringsToRle(exact, SIZE.width, SIZE.height))).toBeGreaterThan(0.98);
    expect(areaOf(mean)).toBeGreaterThan(Math.PI * 40 ** 2);
    expect(areaOf(mean)).toBeLessThan(Math.PI * 44 ** 2);
  });

  it("takes the category of most users, and the first of equally many", () => {
    const categories = (...ids: number[]) => ids.map((category_id) => ({ ...box(0, 0, 10, 10), category_id }));
    expect(unionOf(categories(2, 1, 1)).category_id).toBe(1);
    expect(meanOf(categories(2, 1), SIZE).category_id).toBe(2);
  });

  it("puts keypoints in the mean of their places and drops those of fewer than half of the users", () => {
    const points = (...list: [number, number, number][]) => ({
      ...box(0, 0, 0, 0),
      isbbox: false,
      keypoints: list.map(([label, x, y]) => ({ label, x, y, v: 2 })),
    });
    const drawn = [points([1, 10, 10], [2, 5, 5]), points([1, 20, 30]), points([1, 30, 20])];
    expect(meanOf(drawn, SIZE)).toMatchObject({ rings: [], keypoints: [{ label: 1, x: 20, y: 20, v: 2 }] });
    expect(unionOf(drawn).keypoints).toEqual([
      { label: 1, x: 10, y: 10, v: 2 },
      { label: 2, x: 5, y: 5, v: 2 },
    ]);
  });

  it("takes a mask as its outline along the pixels", () => {
    const runs = maskOf(boxRing([10, 10, 20, 20]));
    const mask = { ...outline(), shape: { size: [SIZE.height, SIZE.width] as [number, number], counts: runs } };
    expect(measure(takeOne(mask).rings, SIZE.width, SIZE.height).area).toBe(400);
  });
});

describe("groupObjects", () => {
  const image = (...annotations: ComparedAnnotation[]) => ({ ...SIZE, annotations });

  it("groups what three users have drawn, whatever the categories", () => {
    const a = image(box(0, 0, 50, 50), box(100, 0, 50, 50));
    const b = image({ ...box(2, 0, 50, 50), category_id: 9 }, box(0, 100, 50, 50));
    const c = image(box(100, 100, 40, 40), box(101, 0, 50, 50), box(1, 0, 50, 50));
    expect(groupObjects([a, b, c])).toEqual([
      [0, 0, 2],
      [1, null, 1],
      [null, 1, null],
      [null, null, 0],
    ]);
  });

  it("puts no two annotations of one user into one object", () => {
    const a = image(box(0, 0, 50, 50));
    const b = image(box(5, 0, 50, 50), box(0, 0, 50, 50));
    expect(groupObjects([a, b])).toEqual([
      [0, 1],
      [null, 0],
    ]);
  });

  it("leaves out crowds", () => {
    expect(groupObjects([image({ ...box(0, 0, 9, 9), iscrowd: true }), image()])).toEqual([]);
  });
});
