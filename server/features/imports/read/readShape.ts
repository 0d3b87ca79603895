import { MAX_COORDINATES } from "../../../../shared/constants";
import type { Size } from "../../../../shared/entities/image";
import { type Bbox, MAX_RUNS, type Ring, type Rle, rle } from "../../../../shared/entities/shape";
import { measured } from "../../measuring/measuring";
import { isCoordinate, isCoordinates, Unusable } from "./readItem";

/**
 * Returns a file's segmentation unchanged, as it will be stored; null if it has no shape (absent, null, an empty list).
 * Throws Unusable, and NeedsMeasuring for a heavy RLE that has not been measured yet.
 */
export function readSegmentation(value: unknown, size: Size): Ring[] | Rle | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return readPolygons(value);
  if (typeof value === "object") return readRle(value, size);
  throw new Unusable("segmentation is neither a list nor an RLE");
}

function readPolygons(list: unknown[]): Ring[] | null {
  let coordinates = 0;
  for (const ring of list) {
    if (!isNumbers(ring)) throw new Unusable("segmentation is not a list of lists of numbers");
    if (!ring.every(isCoordinate)) throw new Unusable("segmentation has coordinates that are too large");
    if (ring.length % 2 !== 0) throw new Unusable("segmentation has an odd number of coordinates");
    coordinates += ring.length;
  }
  if (coordinates === 0) return null;
  if (coordinates > MAX_COORDINATES) throw new Unusable("segmentation has too many coordinates");
  return list as Ring[];
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((number) => typeof number === "number");

/** Returns a valid RLE of an image with the given width and height. Throws Unusable and NeedsMeasuring. */
export function readRle(value: object, { width, height }: Size): Rle {
  const list = "counts" in value && Array.isArray(value.counts) ? value.counts : undefined;
  // The schema would take a tenth of a second for the longest list, so lists are checked separately.
  const checked = rle.safeParse(list ? { ...value, counts: [] } : value);
  if (!checked.success || (list && !areRuns(list))) throw new Unusable("segmentation is not a valid RLE");
  const { size } = checked.data;
  const counts = list ?? checked.data.counts;
  if (size[0] !== height || size[1] !== width) throw new Unusable("the RLE's size differs from the image's");
  const mask: Rle = { size, counts };
  if ("problem" in measured({ rle: mask })) throw new Unusable("segmentation is not a valid RLE");
  return mask;
}

const areRuns = (list: unknown[]): list is number[] =>
  list.length <= MAX_RUNS && list.every((value) => Number.isSafeInteger(value) && (value as number) >= 0);

/** Returns a file's box; undefined if there is none or it is unusable. */
export function readBbox(value: unknown): Bbox | undefined {
  return isCoordinates(value) && value.length === 4 ? (value as Bbox) : undefined;
}
