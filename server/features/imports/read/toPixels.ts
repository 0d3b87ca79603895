import type { Size } from "../../../../shared/entities/image";
import type { Item } from "./readItem";

/**
 * Coordinates are rounded to this fraction of a pixel (1/1000), which undoes the rounding of fractions that were
 * written as decimals.
 */
const PRECISION = 1000;

/** Converts an item's coordinates from fractions of the image's width and height to pixels. */
export function toPixels(item: Item, { width, height }: Size): Item {
  const scaled = (numbers: readonly number[], period: 2 | 3): number[] =>
    numbers.map((value, i) => {
      if (i % period === 2) return value;
      return Math.round(value * (i % period === 0 ? width : height) * PRECISION) / PRECISION;
    });
  const { bbox, segmentation, keypoints } = item as {
    bbox?: number[];
    segmentation?: number[][];
    keypoints?: number[];
  };
  return {
    ...item,
    ...(bbox && { bbox: scaled(bbox, 2) }),
    ...(segmentation && { segmentation: segmentation.map((ring) => scaled(ring, 2)) }),
    ...(keypoints && { keypoints: scaled(keypoints, 3) }),
  };
}
