import { t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import { labelsOf, pointOf, visibilityText } from "../keypoints/model/points";

/** Returns the text beside the pointer for an annotation under it. */
export function hoverText(annotation: Annotation, document: AnnotatorDocument, showsCreator: boolean): string {
  const { id, category_id, creator, metadata } = annotation;
  const entries = Object.entries(metadata);
  return [
    idText(id),
    t`Category: ${{ name: document.category(category_id)?.name ?? category_id }}`,
    ...(showsCreator && creator ? [t`Created by ${creator}`] : []),
    ...(entries.length > 0 ? [t`Metadata`] : [t`No Metadata`]),
    ...entries
      .slice(0, 12)
      .map(([key, value]) => `  ${key} = ${typeof value === "string" ? value : JSON.stringify(value)}`),
  ].join("\n");
}

/** Returns the text beside the pointer for a keypoint under it. */
export function keypointText(annotation: Annotation, category: SceneCategory, label: number): string {
  return [
    t`Keypoint: ${{ name: labelsOf(category).find(({ id }) => id === label)?.name ?? label }}`,
    t`Visibility: ${{ visibility: visibilityText(pointOf(annotation, label)?.v ?? 0) }}`,
    idText(annotation.id),
    t`Category: ${{ name: category.name }}`,
  ].join("\n");
}

const idText = (id: number | null): string => (id === null ? t`ID: not saved yet` : t`ID: ${id}`);
