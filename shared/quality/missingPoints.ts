import type { Finding } from "./finding";

/** Share of a category's annotations that have a keypoint, from which an annotation without it is a finding. */
export const USUAL_SHARE = 0.95;
/** Number of annotations with keypoints from which they are compared. */
export const FEWEST_POSED = 30;

/** The labels of an annotation's keypoints with v > 0. */
export interface Posed {
  id: number;
  revision: number;
  image: number;
  labels: readonly number[];
}

/** Finds annotations of one category without a keypoint that nearly all others with keypoints have. */
export function findMissingPoints(category: number, labels: readonly number[], posed: readonly Posed[]): Finding[] {
  if (posed.length < FEWEST_POSED) return [];
  const count = new Map<number, number>();
  for (const each of posed) for (const label of each.labels) count.set(label, (count.get(label) ?? 0) + 1);
  const usual = labels.filter((label) => (count.get(label) ?? 0) >= USUAL_SHARE * posed.length);
  return posed.flatMap(({ id, revision, image, labels: own }) => {
    const missing = usual.filter((label) => !own.includes(label));
    if (missing.length === 0) return [];
    const details = { labels: missing.join(" "), count: missing.length };
    const score = missing.length;
    return [{ kind: "missingPoint" as const, image, annotation: id, revision, category, score, details }];
  });
}
