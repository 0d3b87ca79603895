import type { AnnotationChange } from "../../../../shared/edits/edit";
import type { Annotation } from "../../../../shared/entities/annotation";
import { type MetadataRow, metadataOf } from "../../../../shared/rules/metadataValue";

/** Values of the form for several annotations. */
export interface AnnotationsForm {
  /** Empty to keep the annotations' colours. */
  color: string;
  /** Null to keep the annotations' categories. */
  categoryId: number | null;
  /** Metadata entries that all annotations get. */
  rows: readonly MetadataRow[];
}

/** Returns the category of annotations; null if they have different ones. */
export function sharedCategory(annotations: readonly Pick<Annotation, "category_id">[]): number | null {
  const ids = new Set(annotations.map(({ category_id }) => category_id));
  const [only] = ids;
  return ids.size === 1 ? (only ?? null) : null;
}

/** Returns one annotation's new values. Metadata entries that are not in the form do not change. */
export function changeOfAll(
  { color, categoryId, rows }: AnnotationsForm,
  { metadata }: Pick<Annotation, "metadata">,
): AnnotationChange {
  return {
    ...(color !== "" && { color: color.toLowerCase() }),
    ...(categoryId !== null && { category_id: categoryId }),
    ...(rows.length > 0 && { metadata: { ...metadata, ...metadataOf([...rows]) } }),
  };
}
