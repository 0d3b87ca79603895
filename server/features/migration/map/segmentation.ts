import type { Ring } from "../../../../shared/entities/shape";
import { openRing } from "../../../../shared/geometry/ring";
import { latin1Of, listOf, mapOf, numberOf } from "../dump/values";

const MAX_ABSOLUTE = 1e7;

/** A stored segmentation: polygons, or a mask that is still to be checked, or nothing. */
export type Segmentation = { rings: Ring[]; isChanged: boolean } | { mask: { size: number[]; counts: unknown } } | null;

/**
 * Reads a segmentation: a list of polygons, each a flat list or a list of points; a single flat list; or a mask. Points
 * that are not numbers, and polygons of fewer than three points, are left out; `isChanged` is true then.
 */
export function readSegmentation(value: unknown): Segmentation {
  const map = mapOf(value);
  if (map) {
    const { counts, size } = map;
    const list = listOf(size).map((side) => numberOf(side) ?? 0);
    const runs = Array.isArray(counts) ? counts.map((run) => numberOf(run) ?? -1) : latin1Of(counts);
    return runs === undefined ? null : { mask: { size: list, counts: runs } };
  }
  const list = listOf(value);
  const polygons = list.length > 0 && list.every((item) => numberOf(item) !== undefined) ? [list] : list;
  const rings: Ring[] = [];
  let isChanged = polygons !== list;
  for (const polygon of polygons) {
    const flat = listOf(polygon).flatMap((item) => (Array.isArray(item) ? item : [item]));
    const ring = ringOf(flat);
    if (ring.length < flat.length) isChanged = true;
    // A ring that ends where it begins is kept as it is, like every shape of a COCO file.
    if (openRing(ring).length >= 6) rings.push(ring);
    else isChanged = true;
  }
  return rings.length > 0 ? { rings, isChanged } : null;
}

function ringOf(flat: readonly unknown[]): Ring {
  const ring: Ring = [];
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const [x, y] = [numberOf(flat[i]), numberOf(flat[i + 1])];
    if (x !== undefined && y !== undefined && Math.abs(x) <= MAX_ABSOLUTE && Math.abs(y) <= MAX_ABSOLUTE)
      ring.push(x, y);
  }
  return ring;
}
