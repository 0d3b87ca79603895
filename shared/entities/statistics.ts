import { z } from "zod";
import { id } from "./scalars";

/**
 * Statistics of a dataset's annotations. Visible ones are counted: annotations with a shape, a box or
 * keypoints, of images and categories that are not deleted.
 */

const number = z.number();

/** Sides of squares in pixels, half an octave apart. COCO's evaluation calls areas below 32² small, from 96² on large. */
const SIDES = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
/** Borders of the histogram's bins, in square pixels. */
export const SIZE_EDGES = SIDES.map((side) => side ** 2);
export const SMALL_BELOW = 32 ** 2;
export const LARGE_FROM = 96 ** 2;

/** The heat map's columns and rows. */
export const HEAT_SIDE = 24;

export const categoryStatistics = z.object({
  id,
  name: z.string(),
  color: z.string(),
  annotations: number,
  /** Images with such an annotation. */
  images: number,
  /** Time at these annotations. */
  milliseconds: number,
  /** Mean, in square pixels. */
  area: number,
});
export type CategoryStatistics = z.infer<typeof categoryStatistics>;

export const userStatistics = z.object({
  username: z.string(),
  /** False for the name of an account that is gone, and for `system`. */
  account: z.boolean(),
  annotations: number,
  images: number,
  /** Time at images, that at their annotations included. */
  milliseconds: number,
});
export type UserStatistics = z.infer<typeof userStatistics>;

/** Objects whose area is at least `from` and below `to` square pixels; the last bin has no end. */
export const sizeBin = z.object({ from: number, to: number.nullable(), count: number });
export type SizeBin = z.infer<typeof sizeBin>;

export const statistics = z.object({
  total: z.record(z.string(), number),
  average: z.record(z.string(), number),
  /** Annotations by category name, those without any included. */
  categories: z.record(z.string(), number),
  images_per_category: z.record(z.string(), number),
  users: z.record(z.string(), z.object({ annotations: number, images: number })),

  by_category: z.array(categoryStatistics),
  by_user: z.array(userStatistics),
  sizes: z.object({ small: number, medium: number, large: number, histogram: z.array(sizeBin) }),
  /** Number of box centres in each cell, row by row from the top left, as if all images had one size. */
  positions: z.object({ columns: number, rows: number, counts: z.array(number) }),
});
export type Statistics = z.infer<typeof statistics>;
