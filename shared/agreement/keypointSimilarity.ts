import { keypointBbox } from "../coco/measure";
import type { Keypoint } from "../entities/keypoint";

/**
 * Deviation of a keypoint as a share of the object's size: the mean of COCO's 17 constants, since other keypoints than
 * a person's have none of their own.
 */
const SIGMA = 0.067;

/**
 * Returns the similarity of two annotations' keypoints, from 0 to 1: COCO's object keypoint similarity (Ronchi and
 * Perona, 2017), the mean of exp(-d^2 / (2 s^2 k^2)) with k = 2 sigma, where s^2 is the mean area of both boxes around
 * the points. A point that only one of them has counts as 0.
 */
export function keypointSimilarity(a: readonly Keypoint[], b: readonly Keypoint[]): number {
  const ofA = labelled(a);
  const ofB = labelled(b);
  const all = new Set([...ofA.keys(), ...ofB.keys()]);
  const spread = (2 * SIGMA) ** 2 * (areaOf(a) + areaOf(b));
  let sum = 0;
  for (const label of all) {
    const [one, other] = [ofA.get(label), ofB.get(label)];
    if (!one || !other) continue;
    const distance = (one.x - other.x) ** 2 + (one.y - other.y) ** 2;
    sum += distance === 0 ? 1 : Math.exp(-distance / spread);
  }
  return all.size === 0 ? 0 : sum / all.size;
}

const labelled = (points: readonly Keypoint[]) =>
  new Map(points.filter(({ v }) => v > 0).map((point) => [point.label, point]));

function areaOf(points: readonly Keypoint[]): number {
  const [, , width, height] = keypointBbox(points);
  return width * height;
}
