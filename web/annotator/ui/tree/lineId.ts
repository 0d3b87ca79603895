import type { Row } from "../../tree/rows";

/** Returns the element id of a tree row, from an annotation's uuid or a category's id. */
export const lineId = (of: string | number): string => `line-${of}`;

export const keypointLineId = (annotation: string, label: number): string => lineId(`${annotation}-${label}`);

export function lineOf(row: Row): string {
  if (row.kind === "keypoint") return keypointLineId(row.annotation.uuid, row.label.id);
  if (row.kind === "others") return lineId(row.kind);
  return lineId(row.kind === "annotation" ? row.annotation.uuid : row.category.id);
}
