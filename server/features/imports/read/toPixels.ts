import type { Sides } from "../../../../shared/coco/turn";
import type { Item } from "./readItem";

/** Thousandths of a pixel: what shares of a side lose by being written as decimals comes back. */
const PRECISION = 1000;

/** An item whose coordinates are shares of the image's sides, with pixels. */
export function toPixels(item: Item, { width, height }: Sides): Item {
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
