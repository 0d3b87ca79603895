import { plural, t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import type { StepName } from "./history";

/** Returns a number of annotations as text, such as "1 annotation" and "12 annotations". */
export const counted = (count: number): string =>
  plural(count, { one: `${count} annotation`, other: `${count} annotations` });

export const selectedText = (count: number): string =>
  plural(count, { one: "# annotation selected", other: "# annotations selected" });

/**
 * Returns the name of an undo step that changes annotations: "Annotation" with the id of a single one, otherwise their
 * number.
 */
export function stepNameOf(annotations: readonly Pick<Annotation, "id">[]): string {
  const [only] = annotations;
  return only && annotations.length === 1 ? nameOfAnnotation(only) : counted(annotations.length);
}

export const nameOfAnnotation = ({ id }: Pick<Annotation, "id">): string =>
  id === null || id === undefined ? t`Annotation` : t`Annotation ${id}`;

/** Returns an undo step as text: "Annotation 12 Move". */
export const stepText = ({ name, action }: StepName): string =>
  name === "" ? action : t({ message: `${name} ${action}`, comment: "Undo step: what was changed, and how" });
