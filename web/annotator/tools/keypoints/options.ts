import { z } from "zod";
import { KEYPOINT } from "../../../../shared/constants";
import { visibility } from "../../../../shared/entities/keypoint";
import { flagOption } from "../common/options";

export const keypointOptions = z.object({
  /** Visibility of new keypoints. */
  visibility: visibility.catch(KEYPOINT.visibility).default(KEYPOINT.visibility),
  /** Shows the next label beside the pointer. */
  showLabel: flagOption(true),
});
export type KeypointOptions = z.infer<typeof keypointOptions>;

/** Visibility of a keypoint placed with Shift+click: labelled, not visible. */
export const HIDDEN = 1;

/** Returns the visibility of new keypoints from the tool's options. */
export const visibilityOfNew = (options: object): number => keypointOptions.parse(options).visibility;
