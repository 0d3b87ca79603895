import type { AnnotationChange } from "../../../../shared/edits/edit";
import { rebaseMetadata } from "../../../../shared/edits/rebaseMetadata";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Metadata } from "../../../../shared/entities/scalars";
import { type MetadataRow, metadataOf, metadataRows } from "../../../../shared/rules/metadataValue";

/** Metadata key of the name shown in lists, which has its own field in the form. */
export const NAME_KEY = "name";

/** Values of an annotation's settings form. */
export interface AnnotationForm {
  name: string;
  color: string;
  categoryId: number;
  /** Metadata without the name. */
  rows: MetadataRow[];
}

export function formOf({ metadata, color, category_id }: Annotation): AnnotationForm {
  const { [NAME_KEY]: name, ...others } = metadata;
  const shown = typeof name === "string" || typeof name === "number" ? String(name) : "";
  return { name: shown, color, categoryId: category_id, rows: metadataRows(others) };
}

/**
 * Returns the changes between `before`, the annotation when the dialog was opened, and `form`, to be applied to `now`.
 * Keeps changes that other users have made since, and a name that was not edited.
 */
export function changeOf(form: AnnotationForm, before: Annotation, now: Annotation): AnnotationChange {
  const old = formOf(before);
  const after = { ...metadataOf(form.rows), ...nameEntry(form, old, before.metadata) };
  const metadata = rebaseMetadata(before.metadata, after, now.metadata);
  return {
    metadata,
    ...(form.color.toLowerCase() !== old.color.toLowerCase() && { color: form.color.toLowerCase() }),
    ...(form.categoryId !== old.categoryId && { category_id: form.categoryId }),
  };
}

function nameEntry(form: AnnotationForm, old: AnnotationForm, metadata: Metadata): Metadata {
  const typed = form.name.trim();
  if (form.name !== old.name) return typed === "" ? {} : { [NAME_KEY]: typed };
  const kept = metadata[NAME_KEY];
  return kept === undefined ? {} : { [NAME_KEY]: kept };
}
