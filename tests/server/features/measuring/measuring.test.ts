import { describe, expect, test } from "vitest";
import {
  costOf,
  makeBudget,
  measured,
  measureTogether,
  NeedsMeasuring,
  withMeasuring,
} from "../../../../server/features/measuring/measuring";
import { measure } from "../../../../shared/coco/measure";
import { compress } from "../../../../shared/coco/rle";

const zigzag = (points: number, width: number, height: number) => [
  [Array.from({ length: points }, (_, i) => [i % 2 ? width - 1.5 : 0.5, (i * height) / points]).flat()],
];

describe("measuring", () => {
  test("measures a light shape directly", () => {
    const rings = [[[1, 1, 5, 1, 5, 5, 1, 5]]];
    expect(measured({ rings, width: 10, height: 10 })).toEqual(measure(rings, 10, 10));
    expect(measured({ rle: { size: [2, 2], counts: [1, 2, 1] } })).toEqual({ area: 2, bbox: [0, 0, 2, 2] });
    expect(measured({ rle: { size: [2, 2], counts: [1, 2] } })).toHaveProperty("problem");
  });

  test("rolls work back at a heavy shape, measures the shape in a thread, and repeats the work", async () => {
    let tries = 0;
    const heavy = () => ({ rings: zigzag(400, 2000, 2000), width: 2000, height: 2000 });
    expect(() => measured(heavy())).toThrow(NeedsMeasuring);
    const found = await withMeasuring("ada", () => {
      tries++;
      return measured(heavy());
    });
    expect(tries).toBe(2);
    expect(found).toEqual(measure(heavy().rings, 2000, 2000));
    expect(measured(heavy())).toEqual(found);
  });

  test("requests all shapes at once if they are heavy in total", async () => {
    const shapes = Array.from({ length: 40 }, (_, i) => ({ rings: zigzag(20 + i, 900, 900), width: 900, height: 900 }));
    let requested: readonly unknown[] = [];
    try {
      measureTogether(shapes);
    } catch (error) {
      requested = error instanceof NeedsMeasuring ? error.wanted : [];
    }
    expect(requested).toHaveLength(40);
    const all = await withMeasuring("ada", () => {
      measureTogether(shapes);
      return shapes.map(measured);
    });
    expect(all).toEqual(shapes.map(({ rings }) => measure(rings, 900, 900)));
  });

  test("measures a heavy mask in a thread, and reports an invalid one", async () => {
    const runs = Array.from({ length: 300_000 }, () => 1);
    const sound = { size: [1000, 300] as [number, number], counts: compress(runs) };
    expect(() => measured({ rle: sound })).toThrow(NeedsMeasuring);
    expect(await withMeasuring("ada", () => measured({ rle: sound }))).toEqual({
      area: 150_000,
      bbox: [0, 1, 300, 999],
    });
    const unsound = { ...sound, size: [1000, 301] as [number, number] };
    expect(await withMeasuring("ada", () => measured({ rle: unsound }))).toHaveProperty("problem");
  });

  test("returns 413 with a code beyond a request's budget, without measuring anything", async () => {
    const shapes = Array.from({ length: 5 }, (_, i) => ({
      rings: zigzag(3600 + i, 9000, 9000),
      width: 9000,
      height: 9000,
    }));
    const refused = { status: 413, code: "too_much_to_measure" };
    await expect(withMeasuring("ada", () => measureTogether(shapes))).rejects.toMatchObject(refused);
    const budget = makeBudget();
    budget.left = costOf(shapes[0]!) - 1;
    await expect(withMeasuring("ada", () => measureTogether(shapes.slice(0, 1)), { budget })).rejects.toMatchObject(
      refused,
    );
  });
});
