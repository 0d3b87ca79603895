import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { DextrRequest, Point } from "../../../model/dextr/base/request";
import { manifest } from "../../../model/dextr/manifest";
import { arcs } from "../../../model/dextr/outline/arcs";
import { promptOfBox } from "../../../model/dextr/prompts";
import { segment } from "../../../model/dextr/segment";
import { type Bitmap, iou, rasterise } from "../../../model/evaluate/masks/bitmap";
import { extremePoints } from "../../../model/evaluate/masks/clicks";
import { openNetwork } from "../../../model/evaluate/session";
import { ringsBounds } from "../../../shared/geometry/polygons";
import { paintedImage } from "../../support/dextr";

const FOLDER = resolve(import.meta.dirname, "../../../model");
const FILE = join(FOLDER, "dextr.onnx");
const [WIDTH, HEIGHT] = [320, 240];

/** A triangle, which neither its box, an ellipse nor the arcs describe well. */
function isInside(x: number, y: number): boolean {
  return y > 40 && y < 200 && Math.abs(x - 160) < 0.6 * (y - 40);
}

const mask: Bitmap = {
  width: WIDTH,
  height: HEIGHT,
  data: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    isInside((i % WIDTH) + 0.5, Math.floor(i / WIDTH) + 0.5) ? 1 : 0,
  ),
};

/** Orange on green, both slightly uneven. */
const { image } = paintedImage(WIDTH, HEIGHT, (x, y) => {
  const uneven = 12 * Math.sin(x / 9) + 9 * Math.cos(y / 7);
  return isInside(x + 0.5, y + 0.5) ? [225 + uneven, 130 + uneven, 40] : [60, 110 + uneven, 70 + uneven];
});

describe.runIf(existsSync(FILE))("the shipped network", () => {
  it("matches its manifest and has the required signature", async () => {
    const { bytes, sha256, size } = manifest.parse(JSON.parse(readFileSync(join(FOLDER, "dextr.json"), "utf8")));
    const network = await openNetwork(FILE, 1);
    expect([network.sha256, network.size]).toEqual([sha256, size]);
    expect(readFileSync(FILE)).toHaveLength(bytes);
    expect(bytes).toBeLessThan(10_000_000);
  });

  it("outlines a clear shape better than arcs do", async () => {
    const { session, size } = await openNetwork(FILE, 1);
    const points = extremePoints(mask);
    const scoreOf = (rings: ReturnType<typeof arcs>) => iou(rasterise(rings, WIDTH, HEIGHT), mask, null);
    const request = { points, more: [], padding: 50, threshold: 80 };
    const { rings, prediction } = await segment(image, request, session, { size });
    expect(prediction.probability.every((p) => p >= 0 && p <= 1)).toBe(true);
    expect(scoreOf(rings)).toBeGreaterThan(scoreOf(arcs(points)) + 0.2);
    const [, , width, height] = ringsBounds(rings);
    expect(width).toBeGreaterThan(150);
    expect(height).toBeGreaterThan(120);
  });

  it("is surer of a place that a correction adds, less sure of one that it removes, and outlines an object from its box", async () => {
    const { session, size } = await openNetwork(FILE, 1);
    const request = { points: extremePoints(mask), more: [], padding: 50, threshold: 80 };
    const near = async (place: Point, clicks: Partial<DextrRequest>) => {
      const { prediction } = await segment(image, { ...request, ...clicks }, session, { size });
      const { crop, probability } = prediction;
      const cell = (at: number, from: number, to: number) => Math.floor(((at - from) / (to - from)) * size);
      return probability[size * cell(place[1], crop.top, crop.bottom) + cell(place[0], crop.left, crop.right)]!;
    };
    const corner: Point = [92, 130];
    const middle: Point = [160, 150];
    expect(await near(corner, { added: [corner] })).toBeGreaterThan(await near(corner, {}));
    expect(await near(middle, { removed: [middle] })).toBeLessThan(await near(middle, {}));
    const outlined = async (clicks: Partial<DextrRequest>) =>
      (await segment(image, { ...request, ...clicks }, session, { size })).rings;
    const boxed = await outlined(promptOfBox([64, 41, 192, 159]));
    expect(iou(rasterise(boxed, WIDTH, HEIGHT), mask, null)).toBeGreaterThan(0.8);
  });
});
