import { bboxOf, type Runs } from "../coco/mask";
import { traceRuns } from "../coco/trace";
import type { Size } from "../entities/image";
import type { Bbox, Rings } from "../entities/shape";
import { translateRings } from "../geometry/polygons";
import { signedDistances } from "./distances";

/** Largest number of pixels of the part of the image that the masks cover. */
const MOST_PIXELS = 2 ** 25;

/**
 * Returns the mean outline of several masks of an image: along pixel edges, around the pixels whose signed distances to
 * the borders of the masks have a sum below 0. For two users, whose masks have no majority, it runs halfway between
 * both outlines. Source: Rohlfing and Maurer, "Shape-based averaging" (2007). Empty if that leaves no pixel, or a mask
 * has none. Throws a RangeError if the masks cover too many pixels.
 */
export function meanOutline(masks: readonly Runs[], { height }: Size): Rings {
  const boxes = masks.map((runs) => bboxOf(runs, height));
  if (boxes.length === 0 || boxes.some(([, , width]) => width === 0)) return [];
  const [left, top, across, down] = around(boxes);
  if (across * down > MOST_PIXELS) throw new RangeError("The outlines are too large for a mean outline.");
  const sum = new Float64Array(across * down);
  for (const runs of masks) {
    const distances = signedDistances(bitmapOf(runs, height, [left, top, across, down]), across, down);
    for (let i = 0; i < sum.length; i++) sum[i]! += distances[i]!;
  }
  return translateRings(traceRuns(runsBelowZero(sum, across, down), across, down), left, top);
}

/** Returns the box around boxes with a margin of one pixel, in which masks at the image's border end too. */
function around(boxes: readonly Bbox[]): Bbox {
  const left = Math.min(...boxes.map(([x]) => x)) - 1;
  const top = Math.min(...boxes.map(([, y]) => y)) - 1;
  const right = Math.max(...boxes.map(([x, , width]) => x + width)) + 1;
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height)) + 1;
  return [left, top, right - left, bottom - top];
}

/** Returns the pixels of a mask in a box, row by row. */
function bitmapOf(runs: Runs, height: number, [left, top, across, down]: Bbox): Uint8Array {
  const bitmap = new Uint8Array(across * down);
  let start = 0;
  for (const [i, length] of runs.entries()) {
    if (i % 2 === 1)
      for (let at = start; at < start + length; at++)
        bitmap[((at % height) - top) * across + Math.floor(at / height) - left] = 1;
    start += length;
  }
  return bitmap;
}

/** Returns the pixels with a value below 0 as runs, column by column. */
function runsBelowZero(values: Float64Array, width: number, height: number): Runs {
  const runs: Runs = [0];
  let inside = false;
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) {
      if (values[y * width + x]! < 0 !== inside) {
        runs.push(0);
        inside = !inside;
      }
      runs[runs.length - 1]!++;
    }
  return runs;
}
