import { KEYPOINT_PALETTE } from "../constants";
import type { Annotation } from "../entities/annotation";
import type { AnnotationEdit, Change } from "./edit";

/**
 * An annotation after an edit; undefined where there is none (deleted, or never made). Coordinates in image pixels.
 * `revision`, `area` and `bbox` are the server's and stay as they were. `rle` stays as well: it is the shape only while
 * `rings` is null, so that the inverse of the first edit of a crowd brings it back. `deleted` is what a `create` that
 * takes back a deletion builds on.
 */
export function applyEdit(
  annotation: Annotation | undefined,
  edit: AnnotationEdit,
  deleted?: Annotation,
): Annotation | undefined {
  if (edit.action === "delete") return undefined;
  if (edit.action === "modify") return annotation && { ...annotation, ...edit.after };
  return annotation ?? { ...(deleted ?? blank(edit.target, edit.image_id)), ...edit.after };
}

/**
 * An annotation after a stored change. A change that the annotation has already (its revision is not above the
 * annotation's) does nothing. A change of something that is not there is ignored, unless it makes it.
 */
export function applyChange(
  annotation: Annotation | undefined,
  change: Change,
  imageId: number,
): Annotation | undefined {
  if (change.subject !== "annotation") return annotation;
  if (annotation && change.revision <= annotation.revision) return annotation;
  if (change.action === "delete") return undefined;
  if (change.action === "modify" && !annotation) return undefined;
  const fields = change.fields as Partial<Annotation>;
  const base = annotation ?? { ...blank(change.subject_id, imageId), creator: change.user };
  return { ...base, ...fields, revision: change.revision };
}

/** Default field values of a new annotation. */
export function blank(uuid: string, imageId: number): Annotation {
  return {
    uuid,
    id: null,
    image_id: imageId,
    category_id: 0,
    revision: 0,
    rings: [],
    rle: null,
    isbbox: false,
    iscrowd: false,
    color: colorFor(uuid),
    metadata: {},
    keypoints: null,
    area: 0,
    bbox: [0, 0, 0, 0],
    creator: null,
  };
}

/** The colour of an annotation whose maker gave none: one of the palette, the same wherever it is asked. */
export function colorFor(uuid: string): string {
  const index = Number.parseInt(uuid.slice(0, 8), 16) % KEYPOINT_PALETTE.length;
  return KEYPOINT_PALETTE[index] ?? KEYPOINT_PALETTE[0];
}
