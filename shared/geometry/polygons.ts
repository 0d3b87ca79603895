import type { Bbox, Ring, Rings } from "../entities/shape";
import { pointInside } from "./pointInside";
import { openRing, ringBounds, ringContains, signedArea, translateRing, turned } from "./ring";

/** Functions on polygons: each is an outer ring, then its holes. */

/** Returns the box [x, y, width, height] around all outer rings; zeros if there are none. */
export function ringsBounds(rings: Rings): Bbox {
  return ringBounds(
    rings.flatMap(([outer]) => {
      if (!outer || outer.length < 2) return [];
      const [x, y, width, height] = ringBounds(outer);
      return [x, y, x + width, y + height];
    }),
  );
}

/** Returns true if two boxes [x, y, width, height] have a point in common. */
export function boundsTouch([x, y, width, height]: Bbox, [left, top, across, down]: Bbox): boolean {
  return x <= left + across && x + width >= left && y <= top + down && y + height >= top;
}

/** Returns true if a point is in one of the polygons and not in a hole of that polygon. */
export function ringsContain(rings: Rings, x: number, y: number): boolean {
  return rings.some(([outer, ...holes]) => {
    return outer && ringContains(outer, x, y) && !holes.some((hole) => ringContains(hole, x, y));
  });
}

export function translateRings(rings: Rings, dx: number, dy: number): Rings {
  return rings.map((polygon) => polygon.map((ring) => translateRing(ring, dx, dy)));
}

/**
 * Returns the same polygons with outer rings clockwise on screen and holes counterclockwise, without repeated points
 * and without rings of fewer than three points. A polygon without its outer ring is dropped with its holes.
 */
export function normaliseRings(rings: Rings): Rings {
  return rings.flatMap((polygon) => {
    const [outer, ...holes] = polygon.map(openRing);
    if (!outer || outer.length < 6) return [];
    return [[turned(outer, true), ...holes.filter((hole) => hole.length >= 6).map((hole) => turned(hole, false))]];
  });
}

interface Nested {
  ring: Ring;
  index: number;
  area: number;
  box: Bbox;
  inside: readonly [number, number];
  depth: number;
  parent: Nested | null;
}

/**
 * Groups separate rings into polygons: a ring inside an even number of others is an outer ring, one inside an odd
 * number is a hole of the smallest ring around it. Rings may touch but should not cross; one that crosses another
 * counts as inside if the middle of its widest part is inside. Of two equal rings, neither is inside the other. Rings
 * of fewer than three points are outer rings. The order of outer rings is preserved.
 */
export function nest(rings: readonly Ring[]): Rings {
  if (rings.length < 2) return rings.map((ring) => [ring]);
  const all = rings.map(measured);
  const bySize = all.filter(({ ring }) => ring.length >= 6).sort((a, b) => b.area - a.area || a.index - b.index);
  const boxes = Float64Array.from(bySize.flatMap(({ box }) => box));
  bySize.forEach((inner, i) => {
    const [x, y] = inner.inside;
    // Goes from smaller to larger rings, so that the first ring around this one is the smallest.
    for (let k = i - 1; k >= 0; k--) {
      const [dx, dy] = [x - boxes[4 * k]!, y - boxes[4 * k + 1]!];
      if (dx < 0 || dy < 0 || dx > boxes[4 * k + 2]! || dy > boxes[4 * k + 3]!) continue;
      const outer = bySize[k]!;
      if (!encloses(outer, inner)) continue;
      inner.parent = outer;
      inner.depth = outer.depth + 1;
      return;
    }
  });
  const polygonOf = new Map<Nested, Ring[]>();
  for (const item of all) if (item.depth % 2 === 0) polygonOf.set(item, [item.ring]);
  for (const item of all) if (item.depth % 2 === 1 && item.parent) polygonOf.get(item.parent)?.push(item.ring);
  return [...polygonOf.values()];
}

function measured(ring: Ring, index: number): Nested {
  return {
    ring,
    index,
    area: Math.abs(signedArea(ring)),
    box: ringBounds(ring),
    inside: pointInside(ring),
    depth: 0,
    parent: null,
  };
}

function encloses(outer: Nested, inner: Nested): boolean {
  const [left, top, width, height] = outer.box;
  const [x, y, w, h] = inner.box;
  const slack = 1e-6;
  if (x < left || y < top || x + w > left + width + slack || y + h > top + height + slack) return false;
  if (w === width && h === height && inner.area === outer.area) return false;
  return ringContains(outer.ring, inner.inside[0], inner.inside[1]);
}

/** Returns true for a single ring of four corners with horizontal and vertical sides. */
export function isRectangle(rings: Rings): boolean {
  const [polygon, ...others] = rings;
  const [ring, ...holes] = polygon ?? [];
  if (others.length > 0 || holes.length > 0 || ring?.length !== 8) return false;
  const [x0, y0, x1, y1, x2, y2, x3, y3] = ring;
  return (x0 === x1 && y1 === y2 && x2 === x3 && y3 === y0) || (y0 === y1 && x1 === x2 && y2 === y3 && x3 === x0);
}
