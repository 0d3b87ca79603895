import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import type { ReadDefinition } from "../read/readCategory";

/**
 * Label ids of a category in the order in which a file names them: by name, then by name in any case. Without names in
 * the file the category's own order counts. Undefined where a name of the file is not among the category's.
 */
export function fitLabels({ labels }: KeypointDefinition, file: ReadDefinition | null): number[] | undefined {
  if (!file) return labels.map((label) => label.id);
  const exact = new Map(labels.map((label) => [label.name, label.id]));
  const anyCase = new Map(labels.map((label) => [label.name.toLowerCase(), label.id]));
  const ids = file.labels.map((name) => exact.get(name) ?? anyCase.get(name.toLowerCase()));
  if (new Set(ids).size < ids.length) return undefined;
  return ids.every((id) => id !== undefined) ? ids : undefined;
}
