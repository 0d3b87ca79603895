import type { updateCategory } from "../../../shared/api/category";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { changedFields } from "../../../shared/edits/changedFields";
import { same } from "../../../shared/edits/same";
import type { Category, CategoryInput } from "../../../shared/entities/category";
import type { KeypointLabel } from "../../../shared/entities/keypoint";
import { type CategoryTool, toolChange, toolOfCategory } from "../../../shared/rules/categoryTool";
import { toStored } from "../../../shared/rules/keypointDefinition";
import { definitionOf } from "../../annotator/keypoints/model/definition";
import { type AttributeRow, attributesOf, rowsOfAttributes } from "../../components/attributes/attributeRows";
import { type KeypointRow, keypointsOf, namedRows, rowsOf } from "../../components/keypoints/keypointRows";

export type CategoryFields = Pick<
  Category,
  "name" | "supercategory" | "color" | "keypoint_labels" | "keypoint_edges" | "keypoint_colors" | "attributes"
> &
  Partial<Pick<Category, "metadata">>;

/** Values of the category form. */
export interface CategoryValues {
  name: string;
  supercategory: string;
  color: string;
  rows: KeypointRow[];
  attributes: AttributeRow[];
  tool: CategoryTool | null;
}

export const valuesOf = (category: CategoryFields): CategoryValues => {
  const { name, supercategory, color } = category;
  const rows = { rows: rowsOf(category), attributes: rowsOfAttributes(category.attributes) };
  return { name, supercategory, color, ...rows, tool: toolOfCategory(category) };
};

type CategoryUpdate = BodyOf<typeof updateCategory>;

/**
 * Returns the fields that the form's values change in `before`, the category as the form first showed it. Keypoints
 * count as one field, because labels, edges and colours refer to each other.
 */
export function categoryChange(before: CategoryFields, { rows, ...values }: CategoryValues): CategoryUpdate {
  const { name, supercategory, color } = before;
  const after = {
    name: values.name.trim(),
    supercategory: values.supercategory.trim(),
    color: values.color.toLowerCase(),
  };
  const keypoints = same(namedRows(rows), rowsOf(before)) ? {} : keypointsOf(rows, before.keypoint_edges);
  const attributes = attributesOf(values.attributes);
  return {
    ...changedFields({ name, supercategory, color }, after),
    ...keypoints,
    ...(!same(attributes, before.attributes ?? []) && { attributes }),
    ...(values.tool !== toolOfCategory(before) && toolChange(values.tool)),
  };
}

/**
 * Returns the labels that a change removes. Uses the server's rules: labels are identified by name, and a new name in
 * the position of an old one is a renaming.
 */
export function labelsLost(before: Category, change: Partial<CategoryInput>): KeypointLabel[] {
  const { keypoint_labels: labels } = change;
  if (!labels) return [];
  return toStored(definitionOf(before), { labels }).removed;
}
