import { z } from "zod";
import { MAX_COORDINATES } from "../constants";

/**
 * The shape of an annotation, in image pixels from the top left corner of the upright image.
 *
 * A ring is a flat list [x0, y0, x1, y1, …] whose first point is not repeated at the end. A polygon is an outer ring
 * followed by its holes. A shape from a COCO file is stored exactly as it was imported until it is edited.
 */
/** Largest distance of a coordinate from the origin, in pixels. */
export const MAX_COORDINATE = 1e7;
const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
export const ring = z.array(coordinate).refine((flat) => flat.length % 2 === 0, "A ring has pairs of numbers");
export type Ring = number[];

/** Polygons: each an outer ring, then its holes. */
export const rings = z
  .array(z.array(ring).min(1))
  .refine(
    (polygons) =>
      polygons.reduce((sum, polygon) => sum + polygon.reduce((n, r) => n + r.length, 0), 0) <= MAX_COORDINATES,
    `At most ${MAX_COORDINATES} coordinates`,
  );
export type Rings = Ring[][];

/** COCO's list of flat rings: each is a polygon without holes, and the shape is their union. */
export const flatPolygons = z
  .array(ring)
  .refine(
    (list) => list.reduce((n, r) => n + r.length, 0) <= MAX_COORDINATES,
    `At most ${MAX_COORDINATES} coordinates`,
  );

/** Largest number of runs in a mask given as a list. */
export const MAX_RUNS = 2_000_000;

/**
 * COCO run-length encoding, column by column; `counts` is a list or the compressed string. `size` is [height, width].
 */
export const rle = z.object({
  size: z.tuple([z.int().min(1).max(100_000), z.int().min(1).max(100_000)]),
  counts: z.union([z.string().max(4_000_000), z.array(z.int().min(0)).max(MAX_RUNS)]),
});
export type Rle = z.infer<typeof rle>;

/** A stored shape: COCO polygons, an RLE, polygons with holes, or null (box-only or keypoints-only). */
export type Shape = Ring[] | Rle | { rings: Rings } | null;

/** [x, y, width, height] in image pixels. */
export const bbox = z.tuple([coordinate, coordinate, coordinate, coordinate]);
export type Bbox = [number, number, number, number];
