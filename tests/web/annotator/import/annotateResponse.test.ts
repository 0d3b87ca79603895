import { describe, expect, test } from "vitest";
import { runsOf, toRle } from "../../../../shared/coco/rle";
import { traceRuns } from "../../../../shared/coco/trace";
import {
  AnnotateResponseError,
  MAX_ANNOTATIONS,
  type ResponseContext,
  readAnnotateResponse,
} from "../../../../web/annotator/import/annotateResponse";
import { sceneOf } from "../testEditor";

const [cat, dog] = sceneOf().categories;
const context = (change: Partial<ResponseContext> = {}): ResponseContext => ({
  image: { width: 640, height: 480 },
  categories: [
    { ...cat!, keypoint_labels: ["nose", "tail"], keypoint_label_ids: [4, 9] },
    { ...dog!, name: "Big Dog" },
  ],
  metadata: { weather: "" },
  trace: async (rle) => traceRuns(runsOf(rle), rle.size[1], rle.size[0]),
  ...change,
});
const square = [10, 10, 30, 10, 30, 30, 10, 30];
const cocoOf = (annotations: unknown[], more: object = {}) => ({
  coco: {
    images: [{ id: 1, width: 640, height: 480 }],
    categories: [
      { id: 1, name: " CAT " },
      { id: "d", name: "big dog" },
      { id: 3, name: "truck" },
    ],
    annotations,
    ...more,
  },
});
const read = (annotations: unknown[], more: object = {}, change: Partial<ResponseContext> = {}) =>
  readAnnotateResponse(cocoOf(annotations, more), context(change));
const one = async (annotation: object) => (await read([{ category_id: 1, ...annotation }])).annotations[0];
const why = async (annotation: unknown) => {
  const { annotations, leftOut } = await read([annotation]);
  expect(annotations).toEqual([]);
  return [...leftOut];
};

describe("the response of an annotate URL", () => {
  test("categories are matched by name ignoring case; annotations of unknown ones are skipped and reported by name", async () => {
    const { annotations, leftOut } = await read([
      { category_id: 1, segmentation: [square] },
      { category_id: "d", segmentation: [square] },
      { category_id: 3, segmentation: [square] },
      { category_id: 77, segmentation: [square] },
    ]);
    expect(annotations.map(({ category_id }) => category_id)).toEqual([1, 2]);
    expect(annotations[0]).toEqual({
      category_id: 1,
      rings: [[square]],
      isbbox: false,
      keypoints: null,
      metadata: { weather: "" },
    });
    expect([...leftOut]).toEqual([
      ['of the unknown category "truck"', 1],
      ["of unknown categories", 1],
    ]);
  });

  test("a mask becomes its outline, with holes, and the mask of a smaller image is scaled", async () => {
    // Columns of a 6 x 6 mask: a frame two pixels wide around a hole of two by two.
    const runs = [0, 14, 2, 4, 2, 14];
    const made = await one({ segmentation: toRle(runs, 6, 6, true) });
    expect(made?.rings?.[0]).toHaveLength(2);
    expect(Math.max(...(made?.rings?.flat(2) ?? []))).toBe(640);
  });

  test("points of an image of a different size are scaled", async () => {
    const more = { images: [{ width: 320, height: 120 }] };
    const { annotations } = await read([{ category_id: 1, segmentation: [square], keypoints: [5, 6, 2] }], more);
    expect(annotations[0]?.rings).toEqual([[[20, 40, 60, 40, 60, 120, 20, 120]]]);
    expect(annotations[0]?.keypoints).toEqual([{ label: 4, x: 10, y: 24, v: 2 }]);
  });

  test("keypoints are matched to labels by order, and unset and extra keypoints are skipped", async () => {
    const made = await one({ keypoints: [0, 0, 0, 700, -5, 1, 9, 9, 2] });
    expect(made).toMatchObject({ rings: [], keypoints: [{ label: 9, x: 640, y: 0, v: 1 }] });
    expect(await why({ category_id: 1, keypoints: [0, 0, 0, 4, 4, 7] })).toHaveLength(1);
  });

  test("a rectangle stays a box, other outlines do not become boxes, and a bounding box alone becomes a box", async () => {
    expect(await one({ segmentation: [square], isbbox: true })).toMatchObject({ isbbox: true });
    expect(await one({ segmentation: [[...square, 10, 10]], isbbox: 1 })).toMatchObject({ isbbox: true });
    expect(await one({ segmentation: [[10, 10, 30, 10, 20, 30]], isbbox: true })).toMatchObject({ isbbox: false });
    expect(await one({ bbox: [600, 400, 100, 100] })).toMatchObject({
      isbbox: true,
      rings: [[[600, 400, 640, 400, 640, 480, 600, 480]]],
    });
  });

  test("points are clamped to the image, and shapes without an area there are skipped", async () => {
    const made = await one({ segmentation: [[-1e300, -5, 1e300, -5, 1e300, 900, -1e300, 900]] });
    expect(made?.rings).toEqual([[[0, 0, 640, 0, 640, 480, 0, 480]]]);
    for (const segmentation of [[[700, 700, 800, 700, 800, 800]], [[1, 1]], [[]], [], null, [[1, 2, 3, 4, 5, 6]]])
      expect(await why({ category_id: 1, segmentation })).toEqual([
        ["without an outline or keypoints in the image", 1],
      ]);
  });

  test.each([
    null,
    7,
    "x",
    [],
    {},
    { category_id: {} },
    { category_id: 1, segmentation: "x" },
    { category_id: 1, segmentation: [[1, "2", 3, 4, 5, 6]] },
    { category_id: 1, segmentation: [[1, null, 3, 4, 5, 6]] },
    { category_id: 1, segmentation: [[Number.NaN, 2, 3, 4, 5, 6]] },
    { category_id: 1, segmentation: [[Number.POSITIVE_INFINITY, 2, 3, 4, 5, 6]] },
    { category_id: 1, segmentation: { size: [1e9, 1e9], counts: "x" } },
    { category_id: 1, segmentation: { size: [2, 2], counts: [9] } },
    { category_id: 1, segmentation: { size: [2, 2], counts: "\u0000" } },
    { category_id: 1, segmentation: [square], keypoints: "x" },
    { category_id: "__proto__", segmentation: [square] },
    { category_id: "constructor", segmentation: [square] },
    { category_id: 1, segmentation: [Array.from({ length: 200_002 }, (_, i) => (i * 7919) % 480)] },
  ])("an invalid annotation is skipped: %j", async (value) => {
    expect(await why(value)).toHaveLength(1);
  });

  test.each([
    null,
    undefined,
    "x",
    [],
    {},
    { coco: null },
    { coco: { annotations: [] } },
    { coco: { annotations: {}, categories: [] } },
    { annotations: [], categories: [] },
  ])("an invalid response is refused: %j", async (value) => {
    await expect(readAnnotateResponse(value, context())).rejects.toThrow(AnnotateResponseError);
  });

  test("malformed categories and images are ignored", async () => {
    const categories = [null, 1, { id: "__proto__", name: "cat" }, { id: 1, name: 5 }, { id: 1, name: "cat" }];
    const images = [{ width: "x", height: -1, __proto__: { width: 1 } }];
    const { annotations } = await read(
      [
        { category_id: 1, segmentation: [square] },
        { category_id: "__proto__", segmentation: [square] },
      ],
      { categories, images },
    );
    expect(annotations.map(({ rings }) => rings)).toEqual([[[square]], [[square]]]);
    expect(Object.hasOwn(Object.prototype, "name")).toBe(false);
  });

  test("no more than ten thousand annotations are added", async () => {
    const many = Array.from({ length: MAX_ANNOTATIONS + 5 }, () => ({ category_id: 1, segmentation: [square] }));
    const { annotations, leftOut } = await read(many);
    expect(annotations).toHaveLength(MAX_ANNOTATIONS);
    expect([...leftOut.values()]).toEqual([5]);
  });

  test("a cancelled request adds nothing", async () => {
    const abort = new AbortController();
    const reading = read(
      [{ category_id: 1, segmentation: { size: [6, 6], counts: [36] } }],
      {},
      {
        signal: abort.signal,
        trace: async () => {
          abort.abort(new Error("given up"));
          return [];
        },
      },
    );
    await expect(reading).rejects.toThrow("given up");
  });
});
