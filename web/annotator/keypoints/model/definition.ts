import type { CategoryChange } from "../../../../shared/edits/edit";
import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import { newLabelIds } from "../../../../shared/rules/newLabelIds";
import { type Defined, labelsOf } from "./points";

type Wire = Required<Omit<CategoryChange, "color">>;

/** The keypoints of a category by label id, as they are stored. */
export function definitionOf(category: Defined): KeypointDefinition {
  const labels = labelsOf(category);
  const edges = category.keypoint_edges.flatMap(([a, b]) => {
    const [from, to] = [labels[a - 1]?.id, labels[b - 1]?.id];
    return from !== undefined && to !== undefined ? [[from, to] as [number, number]] : [];
  });
  return { labels, edges, removed: category.keypoint_removed ?? [] };
}

/** The definition as edits carry it: always whole, as its parts refer to each other and merge as one. */
export function wireOf({
  keypoint_labels,
  keypoint_edges,
  keypoint_colors,
  keypoint_label_ids,
}: Pick<Defined, keyof Wire>): Wire {
  return { keypoint_labels, keypoint_edges, keypoint_colors, keypoint_label_ids };
}

/** A category with other fields. Labels that go are remembered, so that they come back with their points. */
export function withFields<C extends Defined>(category: C, fields: Partial<C>): C {
  const ids = fields.keypoint_label_ids;
  if (!ids) return { ...category, ...fields };
  const { labels, removed } = definitionOf(category);
  return { ...category, ...fields, keypoint_removed: [...labels, ...removed].filter(({ id }) => !ids.includes(id)) };
}

/** The id for a label that is new, as the server would choose it. */
export const idForNew = (category: Defined, name: string): number => newLabelIds(definitionOf(category))(name);

/** The edges with that between two labels (by id) added, or taken away where it is. Pairs of 1-based numbers. */
export function withEdgeToggled(category: Defined, a: number, b: number): [number, number][] {
  const [from, to] = [a, b].map((id) => category.keypoint_label_ids.indexOf(id) + 1) as [number, number];
  const isBetween = ([x, y]: readonly [number, number]) => (x === from && y === to) || (x === to && y === from);
  const rest = category.keypoint_edges.filter((edge) => !isBetween(edge));
  return rest.length < category.keypoint_edges.length ? rest : [...rest, [from, to]];
}
