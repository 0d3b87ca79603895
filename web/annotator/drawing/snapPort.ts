import type { Ring, Rings } from "../../../shared/entities/shape";
import { type HitRadii, hitTest } from "../../../shared/geometry/hit";
import { type Shape, type Shapes, widened } from "../canvas/shapes/shapes";
import type { Point, View } from "../canvas/view/view";
import type { SnapPort, Snapped } from "../tools/common/ports";

/** Distances within which a point moves to a corner or a side of another shape, in screen pixels. */
const REACH_PX = { vertex: 9, outline: 7 };
/**
 * A corner wins over a nearer side if it is within `surePx` screen pixels, or at most `ratio` times as far away as the
 * side.
 */
const CORNER = { surePx: 4, ratio: 1.5 };

export interface SnapParts {
  shapes: Shapes;
  view: View;
  isSnapping: () => boolean;
}

/** Returns the tools' access to the borders of the visible shapes, except the selected one. */
export function snapPort({ shapes, view, isSnapping }: SnapParts): SnapPort {
  return { snap: (point) => (isSnapping() ? nearest(shapes, point, view.state.zoom) : null) };
}

function nearest(shapes: Shapes, { x, y }: Point, zoom: number): Snapped | null {
  const near = shapes.within(widened({ minX: x, minY: y, maxX: x, maxY: y }, REACH_PX.vertex / zoom));
  const corner = closest(near, (rings) => placeOn(rings, x, y, { vertex: REACH_PX.vertex / zoom, outline: 0 }));
  const side = closest(near, (rings) => placeOn(rings, x, y, { vertex: 0, outline: REACH_PX.outline / zoom }));
  if (!corner || !side) return corner ?? side;
  const wins = corner.distance <= CORNER.surePx / zoom || corner.distance <= CORNER.ratio * side.distance;
  return wins ? corner : side;
}

type Place = Snapped & { distance: number };

function closest(shapes: readonly Shape[], placeOf: (rings: Rings) => Place | null): Place | null {
  let best: Place | null = null;
  for (const { rings } of shapes) {
    const place = placeOf(rings);
    if (place && (!best || place.distance < best.distance)) best = place;
  }
  return best;
}

function placeOn(rings: Rings, x: number, y: number, radii: HitRadii): Place | null {
  const hit = hitTest(rings, x, y, radii);
  if (!hit || hit.kind === "inside") return null;
  const ring = rings[hit.polygon]![hit.ring]!;
  const place = hit.kind === "vertex" ? vertexOf(ring, hit.vertex) : { x: hit.x, y: hit.y, after: hit.after };
  return { ...place, ring, isVertex: hit.kind === "vertex", distance: hit.distance };
}

const vertexOf = (ring: Ring, vertex: number) => ({ x: ring[2 * vertex]!, y: ring[2 * vertex + 1]!, after: vertex });
