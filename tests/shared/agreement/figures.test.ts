import { describe, expect, it } from "vitest";
import type { ComparedAnnotation, ComparedImage } from "../../../shared/agreement/compared";
import {
  addComparisons,
  addCounts,
  agreementOf,
  compareImages,
  exchanged,
  kappaOf,
} from "../../../shared/agreement/figures";
import { boxRing } from "../../../shared/coco/measure";
import type { Bbox } from "../../../shared/entities/shape";
import { seededRandom } from "../../support/seededRandom";

const CAT = 1;
const DOG = 2;

const box = (category_id: number, ...bbox: Bbox): ComparedAnnotation => ({
  category_id,
  shape: null,
  bbox,
  isbbox: true,
  iscrowd: false,
  keypoints: null,
});
const outline = (category_id: number, ...bbox: Bbox): ComparedAnnotation => ({
  ...box(category_id, ...bbox),
  shape: { rings: [[boxRing(bbox)]] },
  isbbox: false,
});
const image = (...annotations: ComparedAnnotation[]): ComparedImage => ({ width: 400, height: 300, annotations });

describe("compareImages", () => {
  // A's first cat and B's: 100 x 100, moved by 20: 8,000 of 12,000 pixels. The dogs are equal. A's second cat is B's
  // dog.
  const a = image(
    box(CAT, 0, 0, 100, 100),
    box(DOG, 200, 0, 50, 50),
    box(CAT, 0, 200, 40, 40),
    box(CAT, 300, 200, 9, 9),
  );
  const b = image(box(CAT, 20, 0, 100, 100), box(DOG, 200, 0, 50, 50), box(DOG, 0, 200, 40, 40));

  it("counts the objects of both and of only one user by category, as counted by hand", () => {
    expect(compareImages(a, b).categories).toEqual([
      { category_id: CAT, matched: 1, only_a: 2, only_b: 0, overlap: 8000 / 12_000 },
      { category_id: DOG, matched: 1, only_a: 0, only_b: 1, overlap: 1 },
    ]);
  });

  it("counts the categories of objects that both have found, whatever their categories", () => {
    expect(compareImages(a, b).confusion).toEqual([
      { a: CAT, b: CAT, count: 1 },
      { a: CAT, b: DOG, count: 1 },
      { a: DOG, b: DOG, count: 1 },
    ]);
  });

  it("gives F1, mean overlap and panoptic quality as computed by hand", () => {
    const agreement = agreementOf(addCounts(compareImages(a, b).categories));
    // Two matched, two only of A, one only of B.
    expect(agreement.precision).toBeCloseTo(2 / 4, 12);
    expect(agreement.recall).toBeCloseTo(2 / 3, 12);
    expect(agreement.f1).toBeCloseTo(4 / 7, 12);
    expect(agreement.overlap).toBeCloseTo((2 / 3 + 1) / 2, 12);
    expect(agreement.quality).toBeCloseTo((2 / 3 + 1) / (2 + 0.5 * 2 + 0.5), 12);
  });

  it("matches no objects that overlap by less than a half", () => {
    // Moved by 34: 6,600 of 13,400 pixels. By 33: 6,700 of 13,300.
    const [apart, near] = [image(box(CAT, 34, 0, 100, 100)), image(box(CAT, 33, 0, 100, 100))];
    const first = image(box(CAT, 0, 0, 100, 100));
    expect(compareImages(first, apart).categories[0]).toMatchObject({ matched: 0, only_a: 1, only_b: 1 });
    expect(compareImages(first, near).categories[0]).toMatchObject({ matched: 1, overlap: 6700 / 13_300 });
  });

  it("pairs overlapping objects so that the sum of overlaps is the largest", () => {
    // A's first fits both of B's; its best partner is the only one of A's second.
    const [one, other] = [box(CAT, 0, 0, 100, 100), box(CAT, 30, 0, 100, 100)];
    const [between, left] = [box(CAT, 10, 0, 100, 100), box(CAT, -25, 0, 100, 100)];
    const [counts] = compareImages(image(one, other), image(between, left)).categories;
    expect(counts).toMatchObject({ matched: 2, only_a: 0, only_b: 0 });
    expect(counts!.overlap).toBeCloseTo(80 / 120 + 75 / 125, 12);
  });

  it("compares outlines by their pixels and an outline with a box by their boxes", () => {
    const l = { ...outline(CAT, 0, 0, 100, 100), shape: [[0, 0, 100, 0, 100, 50, 50, 50, 50, 100, 0, 100]] };
    expect(compareImages(image(l), image(outline(CAT, 0, 0, 100, 100))).categories[0]!.overlap).toBeCloseTo(0.75, 12);
    expect(compareImages(image(l), image(box(CAT, 0, 0, 100, 100))).categories[0]!.overlap).toBe(1);
  });

  it("compares keypoints without a shape by their similarity", () => {
    const points = (...places: [number, number][]): ComparedAnnotation => ({
      ...box(CAT, 0, 0, 0, 0),
      isbbox: false,
      keypoints: places.map(([x, y], i) => ({ label: i + 1, x, y, v: 2 })),
    });
    const first = points([0, 0], [100, 0], [0, 100], [100, 100]);
    const moved = points([3, 4], [100, 0], [0, 100], [100, 100]);
    // s^2: mean area of the boxes [0, 0, 100, 100] and [0, 0, 100, 100]; k: 2 x 0.067.
    const expected = (3 + Math.exp(-25 / (2 * 10_000 * 0.134 ** 2))) / 4;
    expect(compareImages(image(first), image(moved)).categories[0]!.overlap).toBeCloseTo(expected, 12);
    const missing = compareImages(image(first), image(points([0, 0], [100, 0], [0, 100]))).categories[0]!;
    expect(missing.overlap).toBeCloseTo(0.75, 12);
  });

  it("leaves out crowds, and survives shapes that cannot be read", () => {
    const crowd = { ...box(CAT, 0, 0, 50, 50), iscrowd: true };
    const broken = { ...outline(CAT, 0, 0, 50, 50), shape: { size: [2, 2] as [number, number], counts: [99] } };
    expect(compareImages(image(crowd), image(crowd)).categories).toEqual([]);
    expect(compareImages(image(broken), image(box(CAT, 0, 0, 50, 50))).categories[0]!.matched).toBe(1);
  });

  it("equals an independent computation that tries every pairing, on 150 random images", () => {
    const random = seededRandom(7);
    const side = () => 20 + Math.floor(30 * random());
    const some = () =>
      Array.from({ length: Math.floor(5 * random()) }, () =>
        box(random() < 0.5 ? CAT : DOG, Math.floor(30 * random()), Math.floor(30 * random()), side(), side()),
      );
    for (let round = 0; round < 150; round++) {
      const [one, other] = [some(), some()];
      const counts = addCounts(compareImages(image(...one), image(...other)).categories);
      expect(counts.overlap).toBeCloseTo(bestOverlap(one, other), 10);
      expect(counts.matched + counts.only_a).toBe(one.length);
      expect(counts.matched + counts.only_b).toBe(other.length);
    }
  });
});

/** Returns the largest sum of overlaps, counted pixel by pixel, by trying every pairing. */
function bestOverlap(a: readonly ComparedAnnotation[], b: readonly ComparedAnnotation[]): number {
  const [first, ...rest] = a;
  if (!first) return 0;
  let best = bestOverlap(rest, b);
  for (const other of b) {
    const overlap = first.category_id === other.category_id ? countedOverlap(first.bbox, other.bbox) : 0;
    if (overlap < 0.5) continue;
    best = Math.max(
      best,
      overlap +
        bestOverlap(
          rest,
          b.filter((each) => each !== other),
        ),
    );
  }
  return best;
}

function countedOverlap(a: Bbox, b: Bbox): number {
  const isIn = ([x, y, width, height]: Bbox, px: number, py: number) =>
    px >= x && px < x + width && py >= y && py < y + height;
  let [both, any] = [0, 0];
  for (let x = 0; x < 80; x++)
    for (let y = 0; y < 80; y++) {
      if (isIn(a, x, y) && isIn(b, x, y)) both++;
      if (isIn(a, x, y) || isIn(b, x, y)) any++;
    }
  return both / any;
}

describe("sums of comparisons", () => {
  const one = compareImages(image(box(CAT, 0, 0, 10, 10)), image(box(CAT, 0, 0, 10, 10), box(DOG, 50, 50, 10, 10)));
  const other = compareImages(image(box(CAT, 0, 0, 10, 10)), image(box(DOG, 0, 0, 10, 10)));

  it("add the counts and categories of images", () => {
    expect(addComparisons([one, other])).toEqual({
      categories: [
        { category_id: CAT, matched: 1, only_a: 1, only_b: 0, overlap: 1 },
        { category_id: DOG, matched: 0, only_a: 0, only_b: 2, overlap: 0 },
      ],
      confusion: [
        { a: CAT, b: CAT, count: 1 },
        { a: CAT, b: DOG, count: 1 },
      ],
    });
  });

  it("are those of the other user if the users are exchanged", () => {
    expect(exchanged(addComparisons([one, other])).categories[1]).toMatchObject({ only_a: 2, only_b: 0 });
    expect(exchanged(other).confusion).toEqual([{ a: DOG, b: CAT, count: 1 }]);
  });

  it("have no figures without objects", () => {
    const nothing = agreementOf(addCounts(compareImages(image(), image()).categories));
    expect(nothing).toEqual({ precision: null, recall: null, f1: null, overlap: null, quality: null });
  });
});

describe("kappaOf", () => {
  it("gives the value of Cohen's formula, computed by hand", () => {
    // 20 + 15 of 50 are equal: 0.7. By chance: 0.5 x 0.6 + 0.5 x 0.4 = 0.5.
    const confusion = [
      { a: CAT, b: CAT, count: 20 },
      { a: CAT, b: DOG, count: 5 },
      { a: DOG, b: CAT, count: 10 },
      { a: DOG, b: DOG, count: 15 },
    ];
    expect(kappaOf(confusion)).toBeCloseTo(0.4, 12);
  });

  it("gives 1 for equal categories, 0 for chance, and null if there is nothing to agree on", () => {
    const of = (...counts: [number, number, number][]) => kappaOf(counts.map(([a, b, count]) => ({ a, b, count })));
    expect(of([CAT, CAT, 3], [DOG, DOG, 1])).toBe(1);
    expect(of([CAT, CAT, 1], [CAT, DOG, 1], [DOG, CAT, 1], [DOG, DOG, 1])).toBe(0);
    expect(of([CAT, CAT, 3])).toBeNull();
    expect(of()).toBeNull();
  });
});
