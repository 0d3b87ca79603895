import type { CategoryChange } from "../../../../shared/edits/edit";
import { same } from "../../../../shared/edits/same";
import type { Annotation } from "../../../../shared/entities/annotation";
import { type KeypointRow, keypointsOf, namedRows, rowsOf } from "../../../components/keypoints/keypointRows";
import { idForNew } from "./definition";
import { type Defined, isPlaced, type Label, labelsOf } from "./points";

/**
 * Returns the changes that a user's rows make to a category's keypoint definition; empty if nothing differs. A row
 * refers to the label it was created from, so that a renamed label keeps its points.
 */
export function redefinition(category: Defined, rows: readonly KeypointRow[]): CategoryChange {
  if (same(rows, rowsOf(category))) return {};
  const keypoint_label_ids = idsOf(category, rows);
  return { ...keypointsOf(rows, category.keypoint_edges), keypoint_label_ids };
}

/** Returns the labels that the rows remove, each with the number of placed points among the annotations. */
export function lostLabels(
  category: Defined,
  rows: readonly KeypointRow[],
  annotations: readonly Annotation[],
): { label: Label; count: number }[] {
  const ids = idsOf(category, rows);
  return labelsOf(category)
    .filter(({ id }) => !ids.includes(id))
    .map((label) => ({ label, count: annotations.filter((annotation) => isPlaced(annotation, label.id)).length }));
}

/** Returns the label ids of the rows. A label that is removed and added again under the same name keeps its id. */
function idsOf(category: Defined, rows: readonly KeypointRow[]): number[] {
  const named = namedRows(rows);
  const remaining = new Set(named.map(({ from }) => from));
  const removed = labelsOf(category).filter((_, index) => !remaining.has(index + 1));
  return named.map(({ from, label }) => {
    const known = from === null ? undefined : category.keypoint_label_ids[from - 1];
    return known ?? removed.find(({ name }) => name === label.trim())?.id ?? idForNew(category, label.trim());
  });
}
