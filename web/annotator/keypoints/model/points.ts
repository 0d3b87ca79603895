import { t } from "@lingui/core/macro";
import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Keypoint } from "../../../../shared/entities/keypoint";
import { oncePerLabel } from "../../../../shared/rules/keypointTriples";

/** Fields of a category that define its keypoints. */
export type Defined = Pick<
  AnnotatorScene["categories"][number],
  "color" | "keypoint_labels" | "keypoint_edges" | "keypoint_colors" | "keypoint_label_ids" | "keypoint_removed"
>;

/** A label of a category as lists and tools show it. */
export interface Label {
  /** Stable id under which annotations store the label's point. */
  id: number;
  name: string;
  color: string;
}

/** Position in the list of labels at which placing continues: at a label, or behind it. */
export interface Anchor {
  label: number;
  behind: boolean;
}

/** Returns the labels of a category, in order. */
export function labelsOf(category: Defined): Label[] {
  const { keypoint_label_ids, keypoint_labels, keypoint_colors, color } = category;
  return keypoint_label_ids.map((id, index) => ({
    id,
    name: keypoint_labels[index] ?? String(index + 1),
    color: keypoint_colors[index] ?? color,
  }));
}

/**
 * Returns the point that an annotation stores for a label, even if the point is not labelled (v = 0); null if it stores
 * none.
 */
export function pointOf({ keypoints }: Pick<Annotation, "keypoints">, label: number): Keypoint | null {
  return keypoints?.find((point) => point.label === label) ?? null;
}

/** Returns true if a label is placed. A point with v = 0 is not placed, whatever its coordinates. */
export function isPlaced(annotation: Pick<Annotation, "keypoints">, label: number): boolean {
  return (pointOf(annotation, label)?.v ?? 0) > 0;
}

/**
 * Returns the label that the next click places: the first unplaced one from the anchor on, otherwise the first unplaced
 * one of all. Returns null if all are placed.
 */
export function nextLabel(
  labels: readonly number[],
  annotation: Pick<Annotation, "keypoints">,
  anchor: Anchor | null,
): number | null {
  const at = anchor ? labels.indexOf(anchor.label) : -1;
  const from = at < 0 ? 0 : at + (anchor?.behind ? 1 : 0);
  const inTurn = [...labels.slice(from), ...labels.slice(0, from)];
  return inTurn.find((label) => !isPlaced(annotation, label)) ?? null;
}

/** Returns the points with one added, or replaced if its label already has a point. */
export function withPoint(points: readonly Keypoint[] | null, point: Keypoint): Keypoint[] {
  const old = oncePerLabel(points ?? []);
  if (!old.some(({ label }) => label === point.label)) return [...old, point];
  return old.map((each) => (each.label === point.label ? point : each));
}

/** Returns the points moved by a distance in image pixels. Points that are not placed stay. */
export function movedKeypoints(points: readonly Keypoint[] | null, by: { x: number; y: number }): Keypoint[] | null {
  return points?.map((point) => (point.v > 0 ? { ...point, x: point.x + by.x, y: point.y + by.y } : point)) ?? null;
}

export function withoutPoint(points: readonly Keypoint[] | null, label: number): Keypoint[] {
  return oncePerLabel(points ?? []).filter((point) => point.label !== label);
}

const visibilityNames = () => [t`NOT LABELED`, t`LABELED NOT VISIBLE`, t`LABELED VISIBLE`, t`UNKNOWN`];

/** Returns a visibility as text, such as "2 (LABELED VISIBLE)". */
export const visibilityText = (v: number): string => `${v} (${visibilityNames()[v] ?? t`UNKNOWN`})`;
