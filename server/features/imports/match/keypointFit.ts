import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import { foldName } from "../../../../shared/text/fold";
import type { ReadDefinition } from "../read/readCategory";

/**
 * Returns a category's label ids in the order of the file's names, matched exactly or else by foldName.
 * Without names in the file, returns the category's own order. Returns undefined if the category lacks one of the
 * names.
 */
export function fitLabels({ labels }: KeypointDefinition, file: ReadDefinition | null): number[] | undefined {
  if (!file) return labels.map((label) => label.id);
  const exact = new Map(labels.map((label) => [label.name, label.id]));
  const folded = new Map(labels.map((label) => [foldName(label.name), label.id]));
  const ids = file.labels.map((name) => exact.get(name) ?? folded.get(foldName(name)));
  if (new Set(ids).size < ids.length) return undefined;
  return ids.every((id) => id !== undefined) ? ids : undefined;
}
