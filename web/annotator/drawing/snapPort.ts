import type { Ring } from "../../../shared/entities/shape";
import { hitTest } from "../../../shared/geometry/hit";
import { type Shapes, widened } from "../canvas/shapes/shapes";
import type { Point, View } from "../canvas/view/view";
import type { SnapPort, Snapped } from "../tools/common/ports";

/** Distances within which a point moves to a corner or a side of another shape, in screen pixels. */
const REACH_PX = { vertex: 9, outline: 7 };

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
  const radii = { vertex: REACH_PX.vertex / zoom, outline: REACH_PX.outline / zoom };
  const places = near.flatMap(({ rings }) => {
    const hit = hitTest(rings, x, y, radii);
    if (!hit || hit.kind === "inside") return [];
    const ring = rings[hit.polygon]![hit.ring]!;
    const place = hit.kind === "vertex" ? vertexOf(ring, hit.vertex) : { x: hit.x, y: hit.y, after: hit.after };
    return [{ ...place, ring, isVertex: hit.kind === "vertex", distance: hit.distance }];
  });
  const vertices = places.filter(({ isVertex }) => isVertex);
  const candidates = vertices.length > 0 ? vertices : places;
  return candidates.reduce<(typeof places)[number] | null>(
    (best, place) => (best && best.distance <= place.distance ? best : place),
    null,
  );
}

const vertexOf = (ring: Ring, vertex: number) => ({ x: ring[2 * vertex]!, y: ring[2 * vertex + 1]!, after: vertex });
