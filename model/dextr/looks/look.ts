import type { Box } from "../base/imageSource";
import type { Prediction } from "../base/prediction";
import type { Planes } from "./tap";

/** The mask of an annotation: 1 or 0 for each pixel of the image, column by column. */
export interface OwnMask {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A look at an object. */
export interface Look {
  /** Intersection over union of the annotation's mask and the prediction; null without a mask. */
  overlap: number | null;
  /** Means of the layer's channels inside the mask, or inside the prediction without a mask; null without a layer. */
  features: Float32Array<ArrayBuffer> | null;
}

/** Probability from which a cell belongs to the object. */
const INSIDE = 0.5;

/**
 * Compares a prediction with the annotation that it was asked for, on the prediction's grid, and describes the object
 * by the encoder's features: mean over the cells of the layer, each weighted by the part of it that the object covers.
 */
export function lookAt(prediction: Prediction, own: OwnMask | null, planes: Planes | null): Look {
  const { crop, size, probability } = prediction;
  const predicted = new Uint8Array(size * size);
  for (let i = 0; i < predicted.length; i++) predicted[i] = probability[i]! >= INSIDE ? 1 : 0;
  const mask = own ? cellsOf(own, crop, size) : predicted;
  return {
    overlap: own ? overlapOf(mask, predicted, own, crop, size) : null,
    features: planes && meansInside(planes, mask, size),
  };
}

/** Returns for each cell of the grid if its middle is inside the mask. */
function cellsOf({ data, width, height }: OwnMask, crop: Box, size: number): Uint8Array {
  const cells = new Uint8Array(size * size);
  eachCellInside(crop, size, { width, height }, (cell, x, y) => {
    cells[cell] = data[x * height + y]!;
  });
  return cells;
}

/** Returns the intersection over union of two masks on the grid, inside the image. */
function overlapOf(
  a: Uint8Array,
  b: Uint8Array,
  image: { width: number; height: number },
  crop: Box,
  size: number,
): number {
  let [both, either] = [0, 0];
  eachCellInside(crop, size, image, (cell) => {
    both += a[cell]! & b[cell]!;
    either += a[cell]! | b[cell]!;
  });
  return either === 0 ? 0 : both / either;
}

/** Calls `take` with each cell of the grid whose middle is in the image, and the pixel there. */
function eachCellInside(
  { left, top, right, bottom }: Box,
  size: number,
  { width, height }: { width: number; height: number },
  take: (cell: number, x: number, y: number) => void,
): void {
  for (let row = 0; row < size; row++) {
    const y = Math.floor(top + ((row + 0.5) * (bottom - top)) / size);
    if (y < 0 || y >= height) continue;
    for (let column = 0; column < size; column++) {
      const x = Math.floor(left + ((column + 0.5) * (right - left)) / size);
      if (x >= 0 && x < width) take(row * size + column, x, y);
    }
  }
}

/** Returns the mean of each channel inside the mask; of the whole crop if the mask is empty. */
function meansInside({ data, channels, height, width }: Planes, mask: Uint8Array, size: number) {
  const weights = new Float32Array(height * width);
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      weights[Math.floor((row * height) / size) * width + Math.floor((column * width) / size)]! +=
        mask[row * size + column]!;
  if (!weights.some((weight) => weight > 0)) weights.fill(1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const means = new Float32Array(channels);
  for (let channel = 0; channel < channels; channel++) {
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += weights[i]! * data[channel * weights.length + i]!;
    means[channel] = sum / total;
  }
  return means;
}
