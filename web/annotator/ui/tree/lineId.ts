import type { Row } from "../../tree/rows";

/** The page's id of a line of the tree: of an annotation by its uuid, of a category by its number. */
export const lineId = (of: string | number): string => `line-${of}`;

export const keypointLineId = (annotation: string, label: number): string => lineId(`${annotation}-${label}`);

export function lineOf(row: Row): string {
  if (row.kind === "keypoint") return keypointLineId(row.annotation.uuid, row.label.id);
  return lineId(row.kind === "annotation" ? row.annotation.uuid : row.category.id);
}
