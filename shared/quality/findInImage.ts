import type { CheckedImage } from "./checkedImage";
import { findDuplicates } from "./duplicates";
import type { Finding, FindingKind } from "./finding";
import { findBadOutlines } from "./outlines";
import { findMisplaced } from "./places";

/** The kinds that depend only on one image and its annotations. */
export const KINDS_OF_IMAGE = [
  "duplicate",
  "contradiction",
  "boxMismatch",
  "outside",
  "sliver",
  "tiny",
  "crossing",
  "pieces",
  "pointsOutside",
] as const satisfies FindingKind[];

/** Number that changes with the formulas and thresholds, so that images are checked again. */
export const RULES_VERSION = 2;

/** Returns the findings that depend only on this image and its annotations. */
export const findInImage = (image: CheckedImage): Finding[] => [
  ...findDuplicates(image),
  ...findBadOutlines(image),
  ...findMisplaced(image),
];
