import type { CategoryChange } from "../../../../shared/edits/edit";
import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import { newLabelIds } from "../../../../shared/rules/newLabelIds";
import { type Defined, labelsOf } from "./points";

type DefinitionFields = Required<Omit<CategoryChange, "color" | "attributes">>;

/** Returns a category's keypoint definition by label ids, the form in which it is stored. */
export function definitionOf(category: Defined): KeypointDefinition {
  const labels = labelsOf(category);
  const edges = category.keypoint_edges.flatMap(([a, b]) => {
    const [from, to] = [labels[a - 1]?.id, labels[b - 1]?.id];
    return from !== undefined && to !== undefined ? [[from, to] as [number, number]] : [];
  });
  return { labels, edges, removed: category.keypoint_removed ?? [] };
}

/** Returns the definition's fields for an edit. They are always sent together, because they refer to each other. */
export function definitionFieldsOf({
  keypoint_labels,
  keypoint_edges,
  keypoint_colors,
  keypoint_label_ids,
}: Pick<Defined, keyof DefinitionFields>): DefinitionFields {
  return { keypoint_labels, keypoint_edges, keypoint_colors, keypoint_label_ids };
}

/**
 * Returns a category with changed fields. Removed labels are remembered, so that they can be restored with their
 * points.
 */
export function withFields<C extends Defined>(category: C, fields: Partial<C>): C {
  const ids = fields.keypoint_label_ids;
  if (!ids) return { ...category, ...fields };
  const { labels, removed } = definitionOf(category);
  return { ...category, ...fields, keypoint_removed: [...labels, ...removed].filter(({ id }) => !ids.includes(id)) };
}

/** Returns the id for a new label, the same that the server would choose. */
export const idForNew = (category: Defined, name: string): number => newLabelIds(definitionOf(category))(name);

/**
 * Returns the edges, with the edge between two labels (by id) added, or removed if it exists. An edge is a pair of
 * 1-based label numbers.
 */
export function withEdgeToggled(category: Defined, a: number, b: number): [number, number][] {
  const [from, to] = [a, b].map((id) => category.keypoint_label_ids.indexOf(id) + 1) as [number, number];
  const isBetween = ([x, y]: readonly [number, number]) => (x === from && y === to) || (x === to && y === from);
  const rest = category.keypoint_edges.filter((edge) => !isBetween(edge));
  return rest.length < category.keypoint_edges.length ? rest : [...rest, [from, to]];
}
