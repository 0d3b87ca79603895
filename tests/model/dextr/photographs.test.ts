import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { expect, it } from "vitest";
import type { ImageSource } from "../../../model/dextr/base/imageSource";
import { arcs } from "../../../model/dextr/outline/arcs";
import { segment } from "../../../model/dextr/segment";
import { iou, rasterise } from "../../../model/evaluate/masks/bitmap";
import { extremePoints } from "../../../model/evaluate/masks/clicks";
import { openNetwork } from "../../../model/evaluate/session";
import type { Rings } from "../../../shared/entities/shape";
import type { CocoAnnotation, CocoDocument } from "../../support/photographs";
import { findSamples } from "../../support/samples";

/**
 * Smallest area of an object to test, in square pixels: the masks of smaller objects depend more on the annotator than
 * on the network.
 */
const LEAST_AREA = 3000;
/** Number of objects to test, evenly sampled. */
const ASKED = 30;

const samples = findSamples();

it.runIf(samples)("outlines objects on photographs far better than their points alone do", async () => {
  const document: CocoDocument = JSON.parse(readFileSync(samples!.instances, "utf8"));
  const { session, size } = await openNetwork(resolve(import.meta.dirname, "../../../model/dextr.onnx"), 1);
  const [found, guessed] = [[], []] as [number[], number[]];
  for (const { image_id, segmentation } of objectsOf(document)) {
    const { file_name } = document.images.find(({ id }) => id === image_id)!;
    const image = await imageOf(join(samples!.images, file_name));
    const { width, height } = image;
    const truth = rasterise(
      segmentation.map((ring) => [ring]),
      width,
      height,
    );
    const points = extremePoints(truth);
    const scoreOf = (rings: Rings) => iou(rasterise(rings, width, height), truth, null);
    const { rings } = await segment(image, { points, more: [], padding: 50, threshold: 80 }, session, { size });
    found.push(scoreOf(rings));
    guessed.push(scoreOf(arcs(points)));
  }
  expect(found).toHaveLength(ASKED);
  expect(mean(found)).toBeGreaterThan(0.83);
  expect(mean(found)).toBeGreaterThan(mean(guessed) + 0.1);
});

function objectsOf({ annotations }: CocoDocument): (CocoAnnotation & { segmentation: number[][] })[] {
  const all = annotations.filter(
    (annotation): annotation is CocoAnnotation & { segmentation: number[][] } =>
      annotation.iscrowd === 0 && annotation.area >= LEAST_AREA && Array.isArray(annotation.segmentation),
  );
  return Array.from({ length: ASKED }, (_, n) => all[Math.floor((n * all.length) / ASKED)]!);
}

async function imageOf(file: string): Promise<ImageSource> {
  const { data, info } = await sharp(file)
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, read: async () => ({ data, left: 0, top: 0, width, height }) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
