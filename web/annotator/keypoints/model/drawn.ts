import type { Keypoint } from "../../../../shared/entities/keypoint";
import type { Dot, Shape } from "../../canvas/shapes/shapes";
import { type Defined, type Label, labelsOf } from "./points";

/**
 * Returns the keypoints and edges to paint: placed points whose labels the category defines, and edges between them.
 */
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

/** Labels by category object, because an image may have thousands of annotations of a category. */
const cache = new WeakMap<Defined, Labels>();

function labelsFor(category: Defined): Labels {
  const cached = cache.get(category);
  if (cached) return cached;
  const labels = labelsOf(category);
  const result = { ids: labels.map(({ id }) => id), byId: new Map(labels.map((label) => [label.id, label])) };
  cache.set(category, result);
  return result;
}
