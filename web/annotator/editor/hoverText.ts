import type { Annotation } from "../../../shared/entities/annotation";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import { labelsOf, pointOf, visibilityText } from "../keypoints/model/points";

/** Returns the text beside the pointer for an annotation under it. */
export function hoverText(annotation: Annotation, document: AnnotatorDocument, showsCreator: boolean): string {
  const { id, category_id, creator, metadata } = annotation;
  const entries = Object.entries(metadata);
  return [
    `ID: ${id ?? "not saved yet"}`,
    `Category: ${document.category(category_id)?.name ?? category_id}`,
    ...(showsCreator && creator ? [`Created by ${creator}`] : []),
    ...(entries.length > 0 ? ["Metadata"] : ["No Metadata"]),
    ...entries
      .slice(0, 12)
      .map(([key, value]) => `  ${key} = ${typeof value === "string" ? value : JSON.stringify(value)}`),
  ].join("\n");
}

/** Returns the text beside the pointer for a keypoint under it. */
export function keypointText(annotation: Annotation, category: SceneCategory, label: number): string {
  return [
    `Keypoint: ${labelsOf(category).find(({ id }) => id === label)?.name ?? label}`,
    `Visibility: ${visibilityText(pointOf(annotation, label)?.v ?? 0)}`,
    `ID: ${annotation.id ?? "not saved yet"}`,
    `Category: ${category.name}`,
  ].join("\n");
}
