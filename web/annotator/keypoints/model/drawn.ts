import type { Keypoint } from "../../../../shared/entities/keypoint";
import type { Dot, Shape } from "../../canvas/shapes/shapes";
import { type Defined, type Label, labelsOf } from "./points";

/** Returns the visible keypoints: the placed ones whose labels the category has, and the edges between them. */
export function skeletonOf(
  points: readonly Keypoint[] | null,
  category: Defined | null,
): Pick<Shape, "dots" | "lines"> {
  if (!points?.length || !category) return NOTHING;
  const { ids, byId } = labelsFor(category);
  const dots = points.flatMap(({ label, x, y, v }): Dot[] => {
    const known = byId.get(label);
    return known && v > 0 ? [{ label, x, y, color: known.color, filled: v !== 1 }] : [];
  });
  const byLabel = new Map(dots.map((dot) => [dot.label, dot]));
  const end = (number: number) => byLabel.get(ids[number - 1] ?? 0);
  const lines = category.keypoint_edges.flatMap(([a, b]) => {
    const [from, to] = [end(a), end(b)];
    return from && to ? [[from, to] as const] : [];
  });
  return { dots, lines };
}

const NOTHING = { dots: [], lines: [] };

interface Labels {
  ids: readonly number[];
  byId: ReadonlyMap<number, Label>;
}

/** Made once for each state of a category: an image may have thousands of its annotations. */
const known = new WeakMap<Defined, Labels>();

function labelsFor(category: Defined): Labels {
  const before = known.get(category);
  if (before) return before;
  const labels = labelsOf(category);
  const made = { ids: labels.map(({ id }) => id), byId: new Map(labels.map((label) => [label.id, label])) };
  known.set(category, made);
  return made;
}
