import type { Annotation } from "../../../shared/entities/annotation";

/** Returns a number of annotations as text, such as "1 annotation" and "12 annotations". */
export const counted = (count: number): string => `${count} ${count === 1 ? "annotation" : "annotations"}`;

/**
 * Returns the name of an undo step that changes annotations: "Annotation" with the id of a single one, otherwise their
 * number.
 */
export function stepNameOf(annotations: readonly Pick<Annotation, "id">[]): string {
  const [only] = annotations;
  return only && annotations.length === 1 ? `Annotation ${only.id ?? ""}`.trim() : counted(annotations.length);
}
