import { describe, expect, it } from "vitest";
import type { Point } from "../../../model/dextr/base/request";
import type { DextrSession, Tensor } from "../../../model/dextr/base/session";
import { outline, predict, segment } from "../../../model/dextr/segment";
import { iou, rasterise } from "../../../model/evaluate/masks/bitmap";
import { extent } from "../../../shared/geometry/combine";
import { ringsBounds } from "../../../shared/geometry/polygons";
import { extremesOf, paintedImage, silhouette, whiteIsObject } from "../../support/dextr";

type Inside = (x: number, y: number) => boolean;

const disc =
  (cx: number, cy: number, radius: number): Inside =>
  (x, y) =>
    Math.hypot(x - cx, y - cy) <= radius;

function ask(points: readonly Point[], padding = 50, more: readonly Point[] = []) {
  return { points, more, padding, threshold: 80 };
}

/** Returns the IoU of the found outline with the shape itself, pixel by pixel. */
async function scoreOf(width: number, height: number, isInside: Inside, points: readonly Point[], padding = 50) {
  const { image } = silhouette(width, height, isInside);
  const { rings } = await segment(image, ask(points, padding), whiteIsObject);
  const truth = Uint8Array.from({ length: width * height }, (_, i) =>
    isInside((i % width) + 0.5, Math.floor(i / width) + 0.5) ? 1 : 0,
  );
  return { rings, score: iou(rasterise(rings, width, height), { width, height, data: truth }, null) };
}

/** Records the inputs of a session. */
function recordInputs(session: DextrSession) {
  const tensors: Tensor[] = [];
  return {
    tensors,
    run: (tensor: Tensor) => {
      tensors.push(tensor);
      return session.run(tensor);
    },
  };
}

const cross: Point[] = [
  [50, 20],
  [80, 50],
  [50, 80],
  [20, 50],
];
const black = () => silhouette(100, 100, () => false).image;

describe("an object whose border the network knows", () => {
  it.each([
    [20, 64, 64],
    [60, 90, 80],
    [300, 400, 500],
    [900, 1100, 1000],
  ])("an object of %d pixels is outlined pixel by pixel", async (side, width, height) => {
    const isInside = disc(width / 2 + 1.3, height / 2 - 2.1, side / 2);
    const { score } = await scoreOf(width, height, isInside, extremesOf(width, height, isInside));
    expect(score).toBeGreaterThan(0.985);
  });

  it("the object is outlined with any padding and any order of the points", async () => {
    const isInside = disc(200, 170, 80);
    const points = extremesOf(400, 340, isInside);
    for (const padding of [0, 1, 10, 200, 1000]) {
      const { score } = await scoreOf(
        400,
        340,
        isInside,
        [3, 1, 0, 2].map((n) => points[n]!),
        padding,
      );
      expect(score).toBeGreaterThan(0.985);
    }
  });

  it("the object is outlined up to the image's borders and corners that cut it", async () => {
    const isInside: Inside = (x, y) => x < 70 && y < 50;
    const { rings, score } = await scoreOf(90, 120, isInside, extremesOf(90, 120, isInside));
    expect(ringsBounds(rings).slice(0, 2)).toEqual([0, 0]);
    expect(score).toBe(1);
    expect(extent(rings)).toBeCloseTo(70 * 50, -1.5);
  });

  it("the object may fill the whole image", async () => {
    const { rings } = await scoreOf(
      40,
      33,
      () => true,
      extremesOf(40, 33, () => true),
    );
    expect(ringsBounds(rings)).toEqual([0, 0, 40, 33]);
    expect(extent(rings)).toBe(40 * 33);
  });

  it("the outline extends no farther than the padding", async () => {
    const isInside: Inside = (x, y) => x > 20 && x < 180 && y > 30 && y < 90;
    const inner: Point[] = [
      [100, 40],
      [149, 60],
      [100, 79],
      [50, 60],
    ];
    for (const [padding, bounds] of [
      [0, [50, 40, 100, 40]],
      [4, [46, 36, 108, 48]],
    ] as const) {
      const { rings } = await scoreOf(200, 120, isInside, inner, padding);
      expect(ringsBounds(rings)).toEqual(bounds);
    }
  });

  it("the outline grows when a further point lies outside it", async () => {
    const isInside = disc(120, 120, 50);
    const { image } = silhouette(240, 240, isInside);
    const inner: Point[] = [
      [120, 100],
      [140, 120],
      [120, 140],
      [100, 120],
    ];
    const few = await segment(image, ask(inner, 0), whiteIsObject);
    const more = await segment(image, ask(inner, 0, [[168, 120]]), whiteIsObject);
    expect(ringsBounds(more.rings)[0]).toBe(ringsBounds(few.rings)[0]);
    expect(ringsBounds(more.rings)[2]).toBeCloseTo(ringsBounds(few.rings)[2] + 28, 1);
  });
});

describe("the network's input", () => {
  it("the input is the crop in red, green and blue, and its points", async () => {
    const session = recordInputs(whiteIsObject);
    const { image } = paintedImage(100, 100, (x, y) => [(x * 5) % 256, (y * 3) % 256, 0]);
    const { crop, probability } = await predict(image, { points: cross, more: [] }, 10, session, {
      size: 64,
      guide: false,
    });
    const [{ data, width, height }] = session.tensors as [(typeof session.tensors)[0]];
    expect(session.tensors).toHaveLength(1);
    expect([width, height, data.length]).toEqual([64, 64, 5 * 4096]);
    const [x, y] = cross[0]!;
    const cell = (along: number, from: number, to: number) => Math.floor(((along + 0.5 - from) / (to - from)) * 64);
    const at = 64 * cell(y, crop.top, crop.bottom) + cell(x, crop.left, crop.right);
    expect(data[at]).toBeCloseTo(((x * 5) % 256) / 127.5 - 1, 1);
    expect(data[4096 + at]).toBeCloseTo(((y * 3) % 256) / 127.5 - 1, 1);
    expect(data[3 * 4096 + at]).toBeGreaterThan(0.8);
    expect(data.subarray(4 * 4096).every((value) => value === 0)).toBe(true);
    expect(probability[at]).toBeCloseTo((data[at]! + 1) / 2, 6);
  });

  it("corrections are in a plane of their own, and neither they nor the lower clicks of a box move the crop", async () => {
    const session = recordInputs(whiteIsObject);
    const clicks = { points: cross, more: [], added: [[90, 50]], removed: [[50, 50]] } as const;
    const plain = await predict(black(), { points: cross, more: [] }, 10, session, { size: 64 });
    const { crop, reach, points } = await predict(black(), { ...clicks, isBox: true }, 0, session, { size: 64 });
    expect(crop).toEqual(plain.crop);
    const [, { data }] = session.tensors as [Tensor, Tensor];
    const at = (x: number, y: number) => {
      const cell = (along: number) => Math.floor(((along + 0.5 - crop.left) / (crop.right - crop.left)) * 64);
      return 4 * 4096 + 64 * cell(y) + cell(x);
    };
    expect(data[at(50, 50)]).toBeLessThan(-0.8);
    expect(Math.max(...data.subarray(3 * 4096, 4 * 4096))).toBeLessThanOrEqual(0.5);
    // A click that adds belongs to the object: the outline may reach it.
    expect(points).toContainEqual([90, 50]);
    expect(reach.right).toBe(Math.min(91, crop.right));
  });

  it("the input is read from the pixels of the crop alone, even of an image of 400 megapixels", async () => {
    const { image, boxes } = silhouette(20_000, 20_000, disc(9000, 9000, 40));
    const points: Point[] = [
      [9000, 8960],
      [9039, 9000],
      [9000, 9039],
      [8960, 9000],
    ];
    const { rings } = await segment(image, ask(points), whiteIsObject);
    expect(extent(rings)).toBeCloseTo(Math.PI * 40 ** 2, -2);
    const [{ left, top, right, bottom }] = boxes as [(typeof boxes)[0]];
    expect(boxes).toHaveLength(1);
    expect((right - left) * (bottom - top)).toBeLessThan(130 ** 2);
  });
});

describe("unusual points", () => {
  it("points outside the image count as points on its border", async () => {
    const isInside: Inside = (x, y) => x < 40 && y > 20 && y < 60;
    const { image } = silhouette(100, 100, isInside);
    const far: Point[] = [
      [20, 20],
      [39, 40],
      [20, 59],
      [-1e7, 40],
    ];
    const near = far.map(([x, y]): Point => [Math.max(0, x), y]);
    const { rings } = await segment(image, ask(far), whiteIsObject);
    expect(rings).toEqual((await segment(image, ask(near), whiteIsObject)).rings);
    expect(ringsBounds(rings)[0]).toBe(0);
  });

  it("points around a place outside the image give no outline, and the network is not run", async () => {
    const session = recordInputs(whiteIsObject);
    const away = cross.map(([x, y]): Point => [x + 100, y]);
    const { rings, prediction } = await segment(silhouette(100, 100, () => true).image, ask(away), session);
    expect(rings).toEqual([]);
    expect(session.tensors).toEqual([]);
    expect(outline(prediction, 0)).toEqual([]);
  });

  it.each<[string, Point[]]>([
    ["all the same", [cross[0]!, cross[0]!, cross[0]!, cross[0]!]],
    [
      "on a line",
      [
        [10, 50],
        [30, 50],
        [60, 50],
        [90, 50],
      ],
    ],
    [
      "on a column",
      [
        [50, 10],
        [50, 10],
        [50, 60],
        [50, 90],
      ],
    ],
    [
      "across the whole image and far beyond",
      [
        [50, -1e9],
        [1e9, 50],
        [50, 1e9],
        [-1e9, 50],
      ],
    ],
    [
      "at the last pixel",
      [
        [99, 99],
        [99, 99],
        [99, 99],
        [99, 99],
      ],
    ],
  ])("%s give an outline inside the reach", async (_, points) => {
    const { rings, prediction } = await segment(silhouette(100, 100, () => true).image, ask(points, 20), whiteIsObject);
    const { reach } = prediction;
    expect(extent(rings)).toBeCloseTo((reach.right - reach.left) * (reach.bottom - reach.top), 3);
    expect(reach.left).toBeGreaterThanOrEqual(0);
    expect(reach.right).toBeLessThanOrEqual(100);
  });

  it("points that are not numbers, or missing, throw", async () => {
    await expect(segment(black(), ask([]), whiteIsObject)).rejects.toThrow("needs points");
    const broken: Point[] = [[Number.NaN, 1], ...cross.slice(1)];
    await expect(segment(black(), ask(broken), whiteIsObject)).rejects.toThrow("finite");
    const endless: Point[] = [[Number.POSITIVE_INFINITY, 1], ...cross.slice(1)];
    await expect(segment(black(), ask(cross, 50, endless), whiteIsObject)).rejects.toThrow("finite");
    for (const kind of ["added", "removed"])
      await expect(segment(black(), { ...ask(cross), [kind]: endless }, whiteIsObject)).rejects.toThrow("finite");
  });
});

describe("invalid numbers", () => {
  it("invalid numbers in the request throw", async () => {
    await expect(segment(black(), ask(cross, -1), whiteIsObject)).rejects.toThrow("padding");
    await expect(segment(black(), ask(cross, Number.NaN), whiteIsObject)).rejects.toThrow("padding");
    await expect(segment(black(), ask(cross), whiteIsObject, { size: 100 })).rejects.toThrow("multiple of 32");
    const nothing = { ...black(), width: 0 };
    await expect(segment(nothing, ask(cross), whiteIsObject)).rejects.toThrow("image");
  });

  it("invalid numbers from the network throw with the reason", async () => {
    const short: DextrSession = { run: async () => new Float32Array(7) };
    await expect(segment(black(), ask(cross), short)).rejects.toThrow("7 numbers");
  });

  it("an image of one pixel gives no invalid numbers", async () => {
    const { rings } = await scoreOf(1, 1, () => true, [[0, 0]]);
    expect(rings).toEqual([[[1, 0, 1, 1, 0, 1, 0, 0]]]);
  });
});

it("passes on errors of the image and of the network", async () => {
  const unreadable = { width: 100, height: 100, read: () => Promise.reject(new Error("gone")) };
  await expect(segment(unreadable, ask(cross), whiteIsObject)).rejects.toThrow("gone");
  const broken: DextrSession = { run: () => Promise.reject(new Error("out of memory")) };
  await expect(segment(black(), ask(cross), broken)).rejects.toThrow("out of memory");
});
