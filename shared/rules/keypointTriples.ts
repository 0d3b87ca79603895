import type { Keypoint, KeypointDefinition, KeypointLabel } from "../entities/keypoint";
import { KeypointError } from "./keypointDefinition";
import { newLabelIds } from "./newLabelIds";

/**
 * Converts keypoints between flat triples x, y, v in the category's current order of labels, as in the API and COCO,
 * and the stored form, by label id. Coordinates in image pixels.
 */

/** Key in an annotation's `extra` for keypoint triples without a label, as one flat list. */
export const EXTRA_KEYPOINTS_KEY = "keypoints";

/**
 * Returns one point per label. Annotations that older versions moved between categories may have two points for a
 * label; the last one counts, as it always did in exports.
 */
export function oncePerLabel(points: readonly Keypoint[]): Keypoint[] {
  return [...new Map(points.map((point) => [point.label, point])).values()];
}

/** Returns one triple per label, 0, 0, 0 if unset, without points of removed labels. Null gives an empty list. */
export function toTriples(points: readonly Keypoint[] | null, definition: KeypointDefinition): number[] {
  if (!points) return [];
  const byLabel = new Map(points.map((point) => [point.label, point]));
  return definition.labels.flatMap(({ id }) => {
    const point = byLabel.get(id);
    return point ? [point.x, point.y, point.v] : [0, 0, 0];
  });
}

/**
 * Converts flat triples to points. `extraKeypoints` has the triples for which the category has no label; they must be
 * stored and reported. Throws a KeypointError if the list is not made of triples, or if a visibility is other than 0,
 * 1, 2, 3.
 */
export function fromTriples(
  flat: readonly number[],
  definition: KeypointDefinition,
): { points: Keypoint[]; extraKeypoints: number[] } {
  if (flat.length % 3 !== 0) throw new KeypointError("Keypoints are triples", "keypoints");
  if (flat.some((value, i) => i % 3 === 2 && ![0, 1, 2, 3].includes(value)))
    throw new KeypointError("Visibility is 0, 1, 2 or 3", "keypoints");
  const end = definition.labels.length * 3;
  const points = definition.labels.flatMap(({ id }, index) => {
    const [x, y, v] = flat.slice(index * 3, index * 3 + 3);
    if (x === undefined || y === undefined || v === undefined) return [];
    return x === 0 && y === 0 && v === 0 ? [] : [{ label: id, x, y, v }];
  });
  return { points, extraKeypoints: flat.slice(end) };
}

/** Returns the number of labeled points whose label the category shows: COCO's num_keypoints. */
export function countLabeledKeypoints(points: readonly Keypoint[] | null, definition: KeypointDefinition): number {
  const shown = new Set(definition.labels.map((label) => label.id));
  return oncePerLabel(points ?? []).filter((point) => point.v > 0 && shown.has(point.label)).length;
}

/** Returns the points that the category does not show, since their labels were removed. */
export function hiddenPoints(points: readonly Keypoint[] | null, definition: KeypointDefinition): Keypoint[] {
  const shown = new Set(definition.labels.map((label) => label.id));
  return oncePerLabel(points ?? []).filter((point) => !shown.has(point.label));
}

/**
 * Returns the points of an annotation that moves from one category to another, matched by label name. A name that `to`
 * lacks is added to its removed labels: the point is hidden, and comes back with the name or the old category. If a
 * removed label has the name of a live one, the point of the live label is matched first and the other one stays
 * hidden.
 */
export function moveKeypoints(
  points: readonly Keypoint[],
  from: KeypointDefinition,
  to: KeypointDefinition,
): { points: Keypoint[]; to: KeypointDefinition } {
  const placed = new Set(points.map((point) => point.label));
  const labels = [...from.labels, ...from.removed].filter(({ id }) => placed.has(id));
  const { targets, removed } = targetsIn(to, labels);
  const moved = oncePerLabel(points).flatMap((point) => {
    const label = targets.get(point.label);
    return label === undefined ? [] : [{ ...point, label }];
  });
  return { points: moved, to: removed.length > to.removed.length ? { ...to, removed } : to };
}

/**
 * Returns for each label the id of a label of `to` with its name, live ones before removed ones and each only once.
 * Adds a removed label if there is none.
 */
function targetsIn(to: KeypointDefinition, labels: readonly KeypointLabel[]) {
  const targets = new Map<number, number>();
  const removed = [...to.removed];
  const free = new Map<string, number[]>();
  for (const { name, id } of [...to.labels, ...to.removed]) free.set(name, [...(free.get(name) ?? []), id]);
  for (const label of labels) {
    const known = free.get(label.name)?.shift();
    // Treats all labels as live, so that a second label of the same name gets the next free id instead of the id of the
    // first one.
    const id = known ?? newLabelIds({ labels: [...to.labels, ...removed], removed: [] })(label.name);
    if (known === undefined) removed.push({ ...label, id });
    targets.set(label.id, id);
  }
  return { targets, removed };
}
