import type { Finding } from "../finding";
import type { LookedAt } from "./lookedAt";

/** Overlap with DEXTR's outline below which an outline is a finding. */
export const LEAST_OVERLAP = 0.4;
/**
 * Smallest area in pixels that is compared: masks of smaller objects depend more on the annotator than on the image.
 */
export const LEAST_AREA = 400;

/**
 * Finds annotations that differ from the outline that DEXTR draws through their own extreme points (Maninis et al.,
 * "Deep extreme cut", CVPR 2018). The score is the disagreement: 1 - intersection over union.
 */
export function findUnlikelyOutlines(annotations: readonly LookedAt[]): Finding[] {
  return annotations.flatMap(({ id, revision, image, category, area, overlap }): Finding[] => {
    if (overlap === null || overlap >= LEAST_OVERLAP || area < LEAST_AREA) return [];
    const details = { overlap };
    return [{ kind: "unlikelyOutline", image, annotation: id, revision, category, score: 1 - overlap, details }];
  });
}
