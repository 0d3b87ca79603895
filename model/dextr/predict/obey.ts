import type { Box } from "../base/imageSource";
import { OBEY_COLOUR, OBEY_CORE, OBEY_REACH, OBEYED } from "../base/recipe";
import type { Point, Prompt } from "../base/request";
import { type Cell, nearestPlaces } from "./geodesic";

/** A correction: 1 where the object is, -1 where it is not. */
interface Correction extends Cell {
  sign: 1 | -1;
}

/**
 * Logits stay within this: the network is certain of many pixels, and a correction must still be able to change them.
 */
const MOST = 6.2;

/**
 * Changes a probability in place so that each correction holds: the network was trained to heed corrections, but often
 * does not. Around each correction the logit changes by what the correction lacks, less with the distance, which is
 * longer where colours change; each cell follows its nearest correction. So a click also takes or adds what looks like
 * it nearby. `colours` has three planes of the same crop in -1..1. The corrections are in image pixels.
 */
export function obey(
  probability: Float32Array,
  colours: Float32Array,
  { added = [], removed = [] }: Pick<Prompt, "added" | "removed">,
  crop: Box,
  size: number,
): void {
  const corrections = [
    ...added.map((point): Correction => ({ ...cellOf(point, crop, size), sign: 1 })),
    ...removed.map((point): Correction => ({ ...cellOf(point, crop, size), sign: -1 })),
  ];
  if (corrections.length === 0) return;
  const nearest = nearestPlaces(corrections, colours, size, { limit: OBEY_REACH, colourWeight: OBEY_COLOUR });
  const lacks = corrections.map((correction) => lackOf(correction, probability, size));
  for (let i = 0; i < probability.length; i++) {
    const n = nearest.place[i]!;
    if (n < 0 || lacks[n] === 0) continue;
    const share = 1 - Math.max(0, nearest.distance[i]! - OBEY_CORE) / OBEY_REACH;
    probability[i] = 1 / (1 + Math.exp(-logitOf(probability[i]!) - share * lacks[n]! * corrections[n]!.sign));
  }
  // The outline interpolates between cells, so those beside a correction hold it, too, whatever their colour.
  for (const { x, y, sign } of corrections)
    for (const i of around({ x, y }, size)) {
      const n = nearest.place[i]!;
      if (n >= 0 && corrections[n]!.sign !== sign) continue;
      probability[i] = sign > 0 ? Math.max(probability[i]!, OBEYED) : Math.min(probability[i]!, 1 - OBEYED);
    }
}

/** Returns the cell of a point in image pixels, or the nearest cell of the crop. */
function cellOf([x, y]: Point, { left, top, right, bottom }: Box, size: number): Cell {
  const cell = (value: number, from: number, to: number) =>
    Math.min(Math.max(Math.floor(((value + 0.5 - from) / (to - from)) * size), 0), size - 1);
  return { x: cell(x, left, right), y: cell(y, top, bottom) };
}

/** Returns by how much the logit at a correction, and in the cells around it, is on the wrong side; 0 if it is not. */
function lackOf({ x, y, sign }: Correction, probability: Float32Array, size: number): number {
  const worst = Math.min(...around({ x, y }, size).map((i) => sign * logitOf(probability[i]!)));
  return Math.max(0, logitOf(OBEYED) - worst);
}

/** Returns the indices of a cell and its neighbours. */
function around({ x, y }: Cell, size: number): number[] {
  const near = (value: number) => [value - 1, value, value + 1].filter((each) => each >= 0 && each < size);
  return near(y).flatMap((row) => near(x).map((column) => row * size + column));
}

function logitOf(probability: number): number {
  return Math.min(Math.max(Math.log(probability / (1 - probability)), -MOST), MOST);
}
