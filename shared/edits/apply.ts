import { paletteColorAt } from "../color/readable";
import type { Annotation } from "../entities/annotation";
import { mergedAttributes } from "./attributes";
import type { AnnotationEdit, Change } from "./edit";

/**
 * Returns an annotation after an edit; undefined if there is none (deleted or never created). Coordinates in image
 * pixels. `revision`, `area` and `bbox` are computed by the server and stay as they were. So does `rle`: it is the
 * shape only while `rings` is null, so the inverse of the first edit of a crowd restores it. `deleted` is the
 * annotation that a `create` undoing a deletion starts from; without it, the edit's base is the revision.
 */
export function applyEdit(
  annotation: Annotation | undefined,
  edit: AnnotationEdit,
  deleted?: Annotation,
): Annotation | undefined {
  if (edit.action === "delete") return undefined;
  if (edit.action === "modify")
    return annotation && { ...annotation, ...edit.after, ...mergedAttributes(edit, annotation) };
  const blank = { ...blankAnnotation(edit.target, edit.image_id), revision: edit.base };
  return annotation ?? { ...(deleted ?? blank), ...edit.after };
}

/**
 * Returns an annotation after a stored change. A change that the annotation already has (its revision is not above the
 * annotation's) does nothing. A change of a missing annotation is ignored unless the change creates the annotation.
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
  const base = annotation ?? { ...blankAnnotation(change.subject_id, imageId), creator: change.user };
  return { ...base, ...fields, revision: change.revision };
}

/** Returns a new annotation with default field values. */
export function blankAnnotation(uuid: string, imageId: number): Annotation {
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
    attributes: {},
    keypoints: null,
    area: 0,
    bbox: [0, 0, 0, 0],
    creator: null,
  };
}

/** Returns the default colour of an annotation: a readable one of the palette, always the same for a uuid. */
export function colorFor(uuid: string): string {
  return paletteColorAt(Number.parseInt(uuid.slice(0, 8), 16));
}
