import type { Keypoint } from "../../../../shared/entities/keypoint";
import { isCoordinate, Unusable } from "./readItem";

/** Points with a label, and the flat triples for which the category has no label. */
export interface ReadKeypoints {
  points: Keypoint[];
  extraKeypoints: number[];
  /** True if the file has fewer triples than the category has labels. */
  isShort: boolean;
}

/**
 * Reads the keypoints of an annotation; null if it has none. `labels` are the ids of the category's labels in the
 * file's order. "0 0 0" is an unset keypoint. Throws Unusable.
 */
export function readKeypoints(value: unknown, labels: readonly number[]): ReadKeypoints | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || value.length % 3 !== 0) throw new Unusable("keypoints are not triples");
  if (value.length === 0) return null;
  const points: Keypoint[] = [];
  const extraKeypoints: number[] = [];
  for (let i = 0; i < value.length; i += 3) {
    const [x, y, v] = [value[i], value[i + 1], value[i + 2]];
    if (!isCoordinate(x) || !isCoordinate(y)) throw new Unusable("keypoints are not numbers");
    if (v !== 0 && v !== 1 && v !== 2 && v !== 3) throw new Unusable("a keypoint's visibility is not 0, 1, 2 or 3");
    const label = labels[i / 3];
    if (label === undefined) extraKeypoints.push(x, y, v);
    else if (x !== 0 || y !== 0 || v !== 0) points.push({ label, x, y, v });
  }
  return { points, extraKeypoints, isShort: value.length / 3 < labels.length };
}
