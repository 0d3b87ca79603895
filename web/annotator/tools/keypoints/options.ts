import { z } from "zod";
import { KEYPOINT } from "../../../../shared/constants";
import { visibility } from "../../../../shared/entities/keypoint";
import { flagOption } from "../common/options";

export const keypointOptions = z.object({
  /** Of new keypoints. */
  visibility: visibility.catch(KEYPOINT.visibility).default(KEYPOINT.visibility),
  /** Shows the next label beside the pointer. */
  showLabel: flagOption(true),
});
export type KeypointOptions = z.infer<typeof keypointOptions>;

/** Visibility of a keypoint placed with Shift and a click: labelled, not visible. */
export const HIDDEN = 1;

/** From whatever options there are. */
export const visibilityOfNew = (options: object): number => keypointOptions.parse(options).visibility;
