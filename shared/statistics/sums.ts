import { HEAT_SIDE, SIZE_EDGES } from "../entities/statistics";

/** Sums over some images and their annotations. The sums of two groups of images can be added. */
export interface Sums {
  images: number;
  annotatedImages: number;
  /** Sums of the images' widths and heights, in pixels. */
  width: number;
  height: number;
  /** Time spent on the images. */
  milliseconds: number;
  /** By category id. */
  categories: Map<number, CategorySums>;
  /** By the account id of the creator, or by the stored name if the account is gone. */
  makers: Map<number | string, MakerSums>;
  /**
   * Names of the creators as stored with annotations: an account may be deleted before its annotations are summed
   * again.
   */
  names: Map<number, string>;
  /** Time spent on the images, by account id. */
  times: Map<number, number>;
  /** Numbers of annotations with an area, by the size bin that SIZE_EDGES delimits. */
  sizes: number[];
  /** Numbers of annotations with a box, by the heat map cell that contains its center. */
  positions: number[];
}

export interface CategorySums {
  annotations: number;
  images: number;
  milliseconds: number;
  /** Number of annotations with an area, and the sum of their areas. */
  sized: number;
  area: number;
}

export interface MakerSums {
  annotations: number;
  images: number;
}

export function noSums(): Sums {
  return {
    images: 0,
    annotatedImages: 0,
    width: 0,
    height: 0,
    milliseconds: 0,
    categories: new Map(),
    makers: new Map(),
    names: new Map(),
    times: new Map(),
    sizes: Array<number>(SIZE_EDGES.length + 1).fill(0),
    positions: Array<number>(HEAT_SIDE ** 2).fill(0),
  };
}

/** Adds `from` to `to`. */
export function addSums(to: Sums, from: Sums): void {
  to.images += from.images;
  to.annotatedImages += from.annotatedImages;
  to.width += from.width;
  to.height += from.height;
  to.milliseconds += from.milliseconds;
  for (const [id, sums] of from.categories) addFields(to.categories, id, sums);
  for (const [key, sums] of from.makers) addFields(to.makers, key, sums);
  for (const [id, name] of from.names) to.names.set(id, name);
  for (const [id, time] of from.times) to.times.set(id, (to.times.get(id) ?? 0) + time);
  for (const [bin, count] of from.sizes.entries()) to.sizes[bin] = (to.sizes[bin] ?? 0) + count;
  for (const [cell, count] of from.positions.entries()) to.positions[cell] = (to.positions[cell] ?? 0) + count;
}

function addFields<K, T extends { [F in keyof T]: number }>(to: Map<K, T>, key: K, from: T): void {
  const present = to.get(key);
  const fields = Object.keys(from) as (keyof T)[];
  to.set(key, present ? (Object.fromEntries(fields.map((f) => [f, present[f] + from[f]])) as unknown as T) : from);
}
