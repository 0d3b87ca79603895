import type { Bbox } from "../entities/shape";
import { areaOf, mergeRuns, type Runs } from "./runs";

/** Returns the intersection of two boxes over their union (Jaccard, 1912). */
export function boxOverlap(a: Bbox, b: Bbox): number {
  const across = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const down = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  if (across <= 0 || down <= 0) return 0;
  const shared = across * down;
  return shared / (a[2] * a[3] + b[2] * b[3] - shared);
}

/** Returns the same for two masks. Masks of images of different sizes do not overlap. */
export function maskOverlap(a: Runs, b: Runs): number {
  if (sizeOf(a) !== sizeOf(b)) return 0;
  const shared = areaOf(mergeRuns([a, b], "intersection"));
  const union = areaOf(a) + areaOf(b) - shared;
  return union === 0 ? 0 : shared / union;
}

const sizeOf = (runs: Runs): number => runs.reduce((sum, length) => sum + length, 0);
