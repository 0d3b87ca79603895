import { t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import { RESERVED_ATTRIBUTES } from "../../../shared/entities/attribute";
import type { Json } from "../../../shared/entities/scalars";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import { labelsOf, pointOf, visibilityText } from "../keypoints/model/points";
import { nameOfAttribute, textOf } from "../selected/SelectedAttributes";

/** Maximum number of attributes, and of entries of the metadata. */
const MOST = 12;

/** Returns the text beside the pointer for an annotation under it. */
export function hoverText(annotation: Annotation, document: AnnotatorDocument, showsCreator: boolean): string {
  const { id, category_id, creator, metadata, attributes } = annotation;
  const entries = Object.entries(metadata);
  return [
    idText(id),
    t`Category: ${{ name: document.category(category_id)?.name ?? category_id }}`,
    ...(showsCreator && creator ? [t`Created by ${creator}`] : []),
    ...Object.entries(attributes)
      .filter(([name, value]) => isShown(name, value))
      .slice(0, MOST)
      .map(([name, value]) => `${nameOfAttribute(name)}: ${textOf(value)}`),
    ...(entries.length > 0 ? [t`Metadata`] : [t`No Metadata`]),
    ...entries
      .slice(0, MOST)
      .map(([key, value]) => `  ${key} = ${typeof value === "string" ? value : JSON.stringify(value)}`),
  ].join("\n");
}

/** Returns true for values that say something: order and group are shown elsewhere, and a common flag may be off. */
function isShown(name: string, value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return false;
  return RESERVED_ATTRIBUTES.includes(name) ? value === true : true;
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
