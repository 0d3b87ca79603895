import type { updateCategory } from "../../../shared/api/category";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { changedFields } from "../../../shared/edits/changedFields";
import { same } from "../../../shared/edits/same";
import type { Category } from "../../../shared/entities/category";
import type { KeypointLabel } from "../../../shared/entities/keypoint";
import { type CategoryTool, toolChange, toolOfCategory } from "../../../shared/rules/categoryTool";
import { toStored } from "../../../shared/rules/keypointDefinition";
import { definitionOf } from "../../annotator/keypoints/model/definition";
import { type AttributeRow, attributesOf, rowsOfAttributes } from "../../components/attributes/attributeRows";
import { type KeypointRow, keypointsOf, namedRows, rowsOf } from "../../components/keypoints/keypointRows";

export type CategoryFields = Pick<
  Category,
  | "name"
  | "supercategory"
  | "color"
  | "keypoint_labels"
  | "keypoint_edges"
  | "keypoint_colors"
  | "keypoint_label_ids"
  | "attributes"
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

export type CategoryUpdate = BodyOf<typeof updateCategory>;

/**
 * Returns the fields that the form's values change in `before`, the category as the form first showed it. Keypoints
 * count as one field, because labels, edges and colours refer to each other. Each label keeps the id of the row it was
 * shown in, so that a label that takes the place of a removed one is not taken for its new name.
 */
export function categoryChange(before: CategoryFields, { rows, ...values }: CategoryValues): CategoryUpdate {
  const { name, supercategory, color } = before;
  const after = {
    name: values.name.trim(),
    supercategory: values.supercategory.trim(),
    color: values.color.toLowerCase(),
  };
  const keypoints = same(namedRows(rows), rowsOf(before)) ? {} : keypointChange(before, rows);
  const attributes = attributesOf(values.attributes);
  return {
    ...changedFields({ name, supercategory, color }, after),
    ...keypoints,
    ...(!same(attributes, before.attributes ?? []) && { attributes }),
    ...(values.tool !== toolOfCategory(before) && toolChange(values.tool)),
  };
}

function keypointChange(before: CategoryFields, rows: readonly KeypointRow[]): CategoryUpdate {
  const keypoints = keypointsOf(rows, before.keypoint_edges);
  if (before.keypoint_labels.length === 0) return keypoints;
  const label_ids = namedRows(rows).map(({ from }) =>
    from === null ? null : (before.keypoint_label_ids[from - 1] ?? null),
  );
  return { ...keypoints, label_ids };
}

/** Returns the labels that a change removes, by the server's rules: one that is added again by its name stays. */
export function labelsLost(
  before: Category,
  { keypoint_labels: labels, label_ids: ids }: CategoryUpdate,
): KeypointLabel[] {
  if (!labels) return [];
  return toStored(definitionOf(before), { labels, ids }).removed;
}
