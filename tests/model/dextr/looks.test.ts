import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import type { Prediction } from "../../../model/dextr/base/prediction";
import { lookAt } from "../../../model/dextr/looks/look";
import { type Planes, TAP, withTap } from "../../../model/dextr/looks/tap";
import { brightness } from "../../support/networks";

const FILE = resolve(import.meta.dirname, "../../../model/dextr.onnx");

describe("the tapped network", () => {
  it("returns an inner layer, and the same probabilities as the shipped file", async () => {
    const bytes = readFileSync(FILE);
    const [plain, tapped] = await Promise.all([
      InferenceSession.create(bytes),
      InferenceSession.create(withTap(bytes)!),
    ]);
    expect(tapped.outputNames).toEqual(["probability", TAP]);
    const data = Float32Array.from({ length: 5 * 64 * 64 }, (_, i) => Math.sin(i));
    const input = new Tensor("float32", data, [1, 5, 64, 64]);
    const [before, after] = [await plain.run({ input }), await tapped.run({ input })];
    const difference = (before.probability!.data as Float32Array).map(
      (value, i) => value - (after.probability!.data as Float32Array)[i]!,
    );
    expect(Math.max(...difference.map(Math.abs))).toBeLessThan(1e-5);
    expect(after[TAP]!.dims).toEqual([1, 64, 4, 4]);
  });

  it("is not made of a network without the layer", () => {
    expect(withTap(brightness())).toBeUndefined();
  });
});

describe("a look", () => {
  const size = 4;
  const image = { width: 8, height: 8 };
  /** The left half of a crop of the whole image. */
  const prediction: Prediction = {
    crop: { left: 0, top: 0, right: 8, bottom: 8 },
    size,
    probability: Float32Array.from({ length: 16 }, (_, i) => (i % 4 < 2 ? 0.9 : 0.1)),
    points: [],
    removed: [],
    reach: { left: 0, top: 0, right: 8, bottom: 8 },
  };
  /** One channel with the number of the column, one with ones; two cells of the grid wide. */
  const planes: Planes = { data: Float32Array.of(0, 1, 0, 1, 1, 1, 1, 1), channels: 2, height: 2, width: 2 };
  const columns = (from: number, to: number) =>
    Uint8Array.from({ length: 64 }, (_, i) => (i >= 8 * from && i < 8 * to ? 1 : 0));

  it("compares the mask with the prediction, and averages channels inside the mask", () => {
    const look = lookAt(prediction, { data: columns(2, 6), ...image }, planes);
    expect(look.overlap).toBeCloseTo(1 / 3);
    expect([...look.features!]).toEqual([0.5, 1]);
    expect(lookAt(prediction, { data: columns(0, 4), ...image }, planes)).toMatchObject({ overlap: 1 });
  });

  it("describes what was predicted if there is only a box, and nothing without a layer", () => {
    const look = lookAt(prediction, null, planes);
    expect([look.overlap, ...look.features!]).toEqual([null, 0, 1]);
    expect(lookAt(prediction, null, null)).toEqual({ overlap: null, features: null });
  });
});
