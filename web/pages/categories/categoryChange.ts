import { changedFields } from "../../../shared/edits/changedFields";
import { same } from "../../../shared/edits/same";
import type { Category, CategoryInput } from "../../../shared/entities/category";
import type { KeypointLabel } from "../../../shared/entities/keypoint";
import { toStored } from "../../../shared/rules/keypointDefinition";
import { definitionOf } from "../../annotator/keypoints/model/definition";
import { type KeypointRow, keypointsOf, namedRows, rowsOf } from "../../components/keypoints/keypointRows";

export type CategoryFields = Pick<
  Category,
  "name" | "supercategory" | "color" | "keypoint_labels" | "keypoint_edges" | "keypoint_colors"
>;

/** Values of the form. */
export interface CategoryValues {
  name: string;
  supercategory: string;
  color: string;
  rows: KeypointRow[];
}

export const valuesOf = (category: CategoryFields): CategoryValues => {
  const { name, supercategory, color } = category;
  return { name, supercategory, color, rows: rowsOf(category) };
};

/**
 * Returns the changes that a user's values make to a category, as it was when the form was filled. Keypoints are one field: their parts
 * refer to each other.
 */
export function categoryChange(before: CategoryFields, { rows, ...values }: CategoryValues): Partial<CategoryInput> {
  const { name, supercategory, color } = before;
  const after = {
    name: values.name.trim(),
    supercategory: values.supercategory.trim(),
    color: values.color.toLowerCase(),
  };
  const keypoints = same(namedRows(rows), rowsOf(before)) ? {} : keypointsOf(rows, before.keypoint_edges);
  return { ...changedFields({ name, supercategory, color }, after), ...keypoints };
}

/**
 * The labels that go with a change. The server tells labels by their names, and takes one new name in the
 * place of an old one for that label renamed: here the same is done.
 */
export function labelsLost(before: Category, change: Partial<CategoryInput>): KeypointLabel[] {
  const { keypoint_labels: labels } = change;
  if (!labels) return [];
  return toStored(definitionOf(before), { labels }).removed;
}
