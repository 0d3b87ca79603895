import type { Keypoint, KeypointDefinition } from "../../../shared/entities/keypoint";
import { KeypointError } from "../../../shared/rules/keypointDefinition";
import { fromTriples, hiddenPoints } from "../../../shared/rules/keypointTriples";
import { badRequest } from "../../base/errors";

/**
 * Returns the keypoints of flat triples. Hidden points of `stored` (those with a removed label) are kept, since the
 * sender could not see them. Throws 400 for invalid triples.
 */
export function postedKeypoints(
  flat: readonly number[],
  definition: KeypointDefinition,
  stored: readonly Keypoint[] | null = null,
): { keypoints: Keypoint[]; extraKeypoints: number[] } {
  try {
    const { points, extraKeypoints } = fromTriples(flat, definition);
    return { keypoints: [...points, ...hiddenPoints(stored, definition)], extraKeypoints };
  } catch (error) {
    if (error instanceof KeypointError) throw badRequest(error.message, { keypoints: error.message });
    throw error;
  }
}
