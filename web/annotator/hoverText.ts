import type { Annotation } from "../../shared/entities/annotation";
import type { AnnotatorDocument } from "./document";

/** What is said beside the pointer of an annotation under it. */
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
