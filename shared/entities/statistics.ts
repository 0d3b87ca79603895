import { z } from "zod";
import { id } from "./scalars";

/**
 * Statistics of a dataset's visible annotations: those with a shape, a box or keypoints, whose image and category are
 * not deleted.
 */

const number = z.number();

/**
 * Sides of squares in pixels, half an octave apart. COCO's evaluation counts areas below 32² as small, from 96² as
 * large.
 */
const SIDES = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
/** Limits of the histogram's bins, in square pixels. */
export const SIZE_EDGES = SIDES.map((side) => side ** 2);
export const SMALL_BELOW = 32 ** 2;
export const LARGE_FROM = 96 ** 2;

/** Number of columns, and of rows, in the heat map. */
export const HEAT_SIDE = 24;

export const categoryStatistics = z.object({
  id,
  name: z.string(),
  color: z.string(),
  annotations: number,
  /** Number of images with an annotation of the category. */
  images: number,
  /** Time spent on these annotations. */
  milliseconds: number,
  /** Mean area in square pixels. */
  area: number,
});
export type CategoryStatistics = z.infer<typeof categoryStatistics>;

export const userStatistics = z.object({
  username: z.string(),
  /** False for the name of a deleted account, and for `system`. */
  account: z.boolean(),
  annotations: number,
  images: number,
  /** Time spent on images, including their annotations. */
  milliseconds: number,
});
export type UserStatistics = z.infer<typeof userStatistics>;

/** Number of annotations whose area is at least `from` and below `to` square pixels; the last bin is open-ended. */
export const sizeBin = z.object({ from: number, to: number.nullable(), count: number });
export type SizeBin = z.infer<typeof sizeBin>;

export const statistics = z.object({
  total: z.record(z.string(), number),
  average: z.record(z.string(), number),
  /** Number of annotations by category name, including categories without any. */
  categories: z.record(z.string(), number),
  images_per_category: z.record(z.string(), number),
  users: z.record(z.string(), z.object({ annotations: number, images: number })),

  by_category: z.array(categoryStatistics),
  by_user: z.array(userStatistics),
  sizes: z.object({ small: number, medium: number, large: number, histogram: z.array(sizeBin) }),
  /** Number of box centres in each cell, row by row from the top left, with all images scaled to the same size. */
  positions: z.object({ columns: number, rows: number, counts: z.array(number) }),
});
export type Statistics = z.infer<typeof statistics>;
