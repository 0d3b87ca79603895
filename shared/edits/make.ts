import { type Annotation, type AnnotationFields, annotationFields } from "../entities/annotation";
import type { AnnotationChange, AnnotationEdit } from "./edit";
import { same } from "./same";

/** Functions that make edits of annotations, with `before` from the current annotation. */

const KEYS = Object.keys(annotationFields.shape) as (keyof AnnotationFields)[];

/** Returns the current values of the fields that edits may change. */
export function fieldsOfAnnotation(annotation: Annotation): AnnotationFields {
  return Object.fromEntries(KEYS.map((key) => [key, annotation[key]])) as unknown as AnnotationFields;
}

/** Returns an edit that creates an annotation. `uuid` and `target` are new uuids of the edit and the annotation. */
export function creation(uuid: string, imageId: number, target: string, after: AnnotationChange): AnnotationEdit {
  return { uuid, image_id: imageId, base: 0, subject: "annotation", target, action: "create", before: {}, after };
}

/** Returns an edit of the fields in `wanted` that differ from the annotation; undefined if none does. */
export function modification(
  uuid: string,
  annotation: Annotation,
  wanted: AnnotationChange,
): AnnotationEdit | undefined {
  const changed = KEYS.filter((key) => Object.hasOwn(wanted, key) && !same(wanted[key], annotation[key]));
  if (changed.length === 0) return undefined;
  const pick = (from: AnnotationChange) => Object.fromEntries(changed.map((key) => [key, from[key]]));
  return { ...commonFields(uuid, annotation), action: "modify", before: pick(annotation), after: pick(wanted) };
}

export function deletion(uuid: string, annotation: Annotation): AnnotationEdit {
  return { ...commonFields(uuid, annotation), action: "delete", before: fieldsOfAnnotation(annotation), after: {} };
}

function commonFields(uuid: string, { uuid: target, image_id, revision }: Annotation) {
  return { uuid, image_id, base: revision, subject: "annotation" as const, target };
}
