import type { Keypoint } from "../../../../shared/entities/keypoint";
import { listOf, numberOf } from "../dump/values";
import type { Note } from "./fields";

/** Keypoints of an annotation: those with a label, and flat triples of those without. */
export interface OldKeypoints {
  points: Keypoint[];
  extra: number[];
}

const MAX_ABSOLUTE = 1e7;
const VISIBLE = 2;

/**
 * Reads keypoints, three numbers each. `labels`: Limn's label ids in the order of the old category's labels. Points
 * that are not numbers count as unset. Returns null if there are none.
 */
export function readKeypoints(
  value: unknown,
  labels: readonly (number | undefined)[],
  note: Note,
): OldKeypoints | null {
  const list = listOf(value).flatMap((item) => (Array.isArray(item) ? item : [item]));
  if (list.length < 3) return null;
  if (list.length % 3 !== 0) note("has keypoints that are not triples: the last numbers were left out");
  const points: Keypoint[] = [];
  const extra: number[] = [];
  for (let i = 0; i + 2 < list.length; i += 3) {
    const [x, y] = [numberOf(list[i]), numberOf(list[i + 1])];
    const isUsable = x !== undefined && y !== undefined && Math.abs(x) <= MAX_ABSOLUTE && Math.abs(y) <= MAX_ABSOLUTE;
    if (!isUsable) note("has keypoints that are not numbers, which became unset");
    const v = visibilityOf(list[i + 2]);
    const label = labels[i / 3];
    const triple = isUsable ? ([x, y, v] as const) : ([0, 0, 0] as const);
    if (label === undefined) extra.push(...triple);
    else if (triple.some((number) => number !== 0)) points.push({ label, x: triple[0], y: triple[1], v: triple[2] });
  }
  if (extra.every((number) => number === 0)) extra.length = 0;
  if (extra.length > 0) note("has keypoints without a label in its category, which are kept but not drawn");
  return { points, extra };
}

function visibilityOf(value: unknown): number {
  const number = numberOf(value);
  return number === 0 || number === 1 || number === 2 || number === 3 ? number : VISIBLE;
}
