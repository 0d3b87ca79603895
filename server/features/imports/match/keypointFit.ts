import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import type { ReadDefinition } from "../read/readCategory";

/**
 * Returns a category's label ids in the order of the file's names, matched exactly or else without regard to case.
 * Without names in the file, returns the category's own order. Returns undefined if the category lacks one of the
 * names.
 */
export function fitLabels({ labels }: KeypointDefinition, file: ReadDefinition | null): number[] | undefined {
  if (!file) return labels.map((label) => label.id);
  const exact = new Map(labels.map((label) => [label.name, label.id]));
  const anyCase = new Map(labels.map((label) => [label.name.toLowerCase(), label.id]));
  const ids = file.labels.map((name) => exact.get(name) ?? anyCase.get(name.toLowerCase()));
  if (new Set(ids).size < ids.length) return undefined;
  return ids.every((id) => id !== undefined) ? ids : undefined;
}
