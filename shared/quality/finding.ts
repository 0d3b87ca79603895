import { z } from "zod";

/** Kinds of findings, in the order of the page. docs/decisions/0134 has the formulas and thresholds. */
export const FINDING_KINDS = [
  "leak",
  "sameImage",
  "similarImage",
  "unreadable",
  "blank",
  "turned",
  "unlabelled",
  "duplicate",
  "contradiction",
  "boxMismatch",
  "outside",
  "sliver",
  "tiny",
  "crossing",
  "pieces",
  "pointsOutside",
  "missingPoint",
  "unlikelyCategory",
  "unlikelyOutline",
  "unusualSize",
  "unusualShape",
  "rareCategory",
] as const;
export const findingKind = z.enum(FINDING_KINDS);
export type FindingKind = z.infer<typeof findingKind>;

/** Kinds with a fix that is safe because it can be undone. */
export const FIXES = {
  sameImage: "trashImage",
  duplicate: "deleteAnnotation",
  sliver: "deleteAnnotation",
  tiny: "deleteAnnotation",
  boxMismatch: "boxOfShape",
  outside: "clip",
  unlikelyCategory: "changeCategory",
} as const satisfies { [kind in FindingKind]?: string };
export type Fix = (typeof FIXES)[keyof typeof FIXES];

/** Returns the fix of a kind; undefined if it has none. */
export const fixOf = (kind: FindingKind): Fix | undefined => (FIXES as { [kind in FindingKind]?: Fix })[kind];

/**
 * Something that may spoil training: an image, an annotation or a category, and another one that it is compared with.
 */
export interface Finding {
  kind: FindingKind;
  image?: number;
  annotation?: number;
  /** Revision in which the annotation was checked. */
  revision?: number;
  otherImage?: number;
  otherAnnotation?: number;
  category?: number;
  /** Larger is worse; comparable only within a kind. */
  score: number;
  /** Measured numbers and words for the page. */
  details: { [name: string]: number | string };
}
