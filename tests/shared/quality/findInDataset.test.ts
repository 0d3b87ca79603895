import { describe, expect, it } from "vitest";
import { CategorySizes } from "../../../shared/quality/categoryOutliers";
import { splitOf } from "../../../shared/quality/images/splitOf";
import { findUnlabelled, type ListedImage } from "../../../shared/quality/images/unlabelled";
import { findMissingPoints } from "../../../shared/quality/missingPoints";
import { findRareCategories } from "../../../shared/quality/rareCategories";
import { robustScale, robustScore } from "../../../shared/quality/robustScores";
import { seededRandom } from "../../support/seededRandom";

describe("robust scores", () => {
  it("computes median and MAD, which one far value hardly changes", () => {
    expect(robustScale(Float64Array.of(3, 1, 2, 1000))).toEqual({ median: 2.5, deviation: 1 });
    expect(robustScale(Float64Array.of(5, 1, 3))).toEqual({ median: 3, deviation: 2 });
    expect(robustScale(new Float64Array())).toBeUndefined();
    expect(robustScore(1000, { median: 2.5, deviation: 1 }, 0.1)).toBeCloseTo(0.6745 * 997.5);
    expect(robustScore(2, { median: 1, deviation: 0 }, 0.5)).toBeCloseTo(1.349);
  });
});

describe("sizes and shapes of a category", () => {
  const frame = { width: 640, height: 480 };

  function sizes(count: number): CategorySizes {
    const random = seededRandom(5);
    const all = new CategorySizes();
    for (let i = 0; i < count; i++)
      all.add({ id: i, revision: 1, image: i }, [100, 100, 60 + 20 * random(), 40 + 10 * random()], frame);
    return all;
  }

  it("finds an annotation far larger than the others, and one of another shape", () => {
    const all = sizes(100);
    all.add({ id: 200, revision: 3, image: 20 }, [10, 10, 600, 400], frame);
    all.add({ id: 201, revision: 4, image: 21 }, [100, 100, 20, 160], frame);
    const found = all.find(3);
    expect(found.map(({ kind, annotation, revision, image }) => [kind, annotation, revision, image])).toEqual([
      ["unusualSize", 200, 3, 20],
      ["unusualShape", 201, 4, 21],
    ]);
    expect(found[0]!.details.factor).toBeGreaterThan(60);
  });

  it("ignores the shape of objects that the image cuts, and categories with few annotations", () => {
    const all = sizes(100);
    all.add({ id: 201, revision: 4, image: 21 }, [0, 100, 20, 160], frame);
    expect(all.find(3)).toEqual([]);
    const few = sizes(20);
    few.add({ id: 200, revision: 3, image: 20 }, [10, 10, 600, 400], frame);
    expect(few.find(3)).toEqual([]);
  });
});

describe("categories", () => {
  it("finds one with far fewer annotations than the median category", () => {
    const counts = new Map([
      [1, 900],
      [2, 400],
      [3, 12],
      [4, 0],
    ]);
    expect(findRareCategories(counts).map(({ category }) => category)).toEqual([3, 4]);
    expect(
      findRareCategories(
        new Map([
          [1, 9],
          [2, 1],
        ]),
      ),
    ).toEqual([]);
  });
});

describe("keypoints", () => {
  const posed = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, revision: 1, image: 1, labels: [1, 2] }));

  it("finds an annotation without a keypoint that nearly all others have", () => {
    const found = findMissingPoints(5, [1, 2, 3], [...posed(60), { id: 99, revision: 2, image: 4, labels: [1] }]);
    expect(found).toMatchObject([
      { kind: "missingPoint", annotation: 99, revision: 2, image: 4, details: { labels: "2" } },
    ]);
    expect(findMissingPoints(5, [1, 2, 3], [...posed(10), { id: 99, revision: 2, image: 4, labels: [1] }])).toEqual([]);
  });
});

describe("images without annotations", () => {
  const list = (pattern: string): ListedImage[] =>
    [...pattern].map((mark, id) => ({ id, folder: "a/", hasAnnotations: mark === "x", isDone: mark === "d" }));

  it("finds those between annotated ones, unless they are marked as done", () => {
    expect(findUnlabelled(list("xxx.xxx")).map(({ image }) => image)).toEqual([3]);
    expect(findUnlabelled(list("xxxdxxx"))).toEqual([]);
  });

  it("leaves the rest of a folder alone that is not annotated yet", () => {
    expect(findUnlabelled(list("xxxxx....."))).toEqual([]);
    const images = list("xxx.xxx");
    images[6]!.folder = "b/";
    expect(findUnlabelled(images)).toEqual([]);
  });
});

describe("splits", () => {
  it.each([
    ["train2017/1.jpg", "train"],
    ["images/val/1.jpg", "validation"],
    ["data/Test/a/1.jpg", "test"],
    ["validation/1.jpg", "validation"],
    ["trains/1.jpg", null],
    ["valley/1.jpg", null],
    ["train.jpg", null],
  ])("reads the split of %s", (path, split) => expect(splitOf(path)).toBe(split));

  it("reads it from labels, if no folder says so", () => {
    expect(splitOf("a/1.jpg", ["street", "test"])).toBe("test");
    expect(splitOf("train/1.jpg", ["test"])).toBe("train");
  });
});
