import type { Ring, Rings } from "../../../../shared/entities/shape";
import { middleOf, rotateBox, rotationOf } from "../../../../shared/geometry/forms/rotatedBox";
import { insertPoint } from "../../../../shared/geometry/hit";
import { lineOf, ringOfLine, segmentOfLine, vertexOfLine } from "../../../../shared/geometry/lines/line";
import { ringsBounds } from "../../../../shared/geometry/polygons";
import type { Point } from "../../canvas/view/view";

/** Pure functions that edit a shape. All return new rings, in image pixels. */

/** Position of a vertex: indices of its polygon, ring and vertex. */
export interface Place {
  polygon: number;
  ring: number;
  vertex: number;
}

export function moveVertex(rings: Rings, place: Place, to: Point): Rings {
  return withRing(rings, place, (ring) => {
    const line = lineOf(ring);
    return line ? ringOfLine(moved(line, vertexOfLine(ring, place.vertex), to)) : moved(ring, place.vertex, to);
  });
}

const moved = (ring: Ring, vertex: number, to: Point): Ring => ring.with(2 * vertex, to.x).with(2 * vertex + 1, to.y);

/** Inserts a vertex after `place.vertex`. Returns the new rings and the place of the new vertex. */
export function insertVertex(rings: Rings, place: Place, at: Point): { rings: Rings; place: Place } {
  const ring = rings[place.polygon]?.[place.ring] ?? [];
  const line = lineOf(ring);
  const after = line ? segmentOfLine(ring, place.vertex) : place.vertex;
  const insert = (flat: Ring) => insertPoint(flat, after, at.x, at.y);
  const inserted = withRing(rings, place, (flat) => (line ? ringOfLine(insert(line)) : insert(flat)));
  return { rings: inserted, place: { ...place, vertex: after + 1 } };
}

/**
 * Deletes a vertex. A triangle, and a line of two points, is removed as a whole: a hole alone, an outer ring with its
 * holes. Returns null if nothing would be left, so that an accidental click cannot delete an annotation.
 */
export function deleteVertex(rings: Rings, place: Place): Rings | null {
  const ring = rings[place.polygon]?.[place.ring];
  if (!ring) return null;
  const line = lineOf(ring);
  if (line && line.length > 4)
    return withRing(rings, place, () => ringOfLine(line.toSpliced(2 * vertexOfLine(ring, place.vertex), 2)));
  if (!line && ring.length > 6) return withRing(rings, place, (flat) => flat.toSpliced(2 * place.vertex, 2));
  if (place.ring > 0)
    return rings.map((polygon, index) => (index === place.polygon ? polygon.toSpliced(place.ring, 1) : polygon));
  return rings.length > 1 ? rings.toSpliced(place.polygon, 1) : null;
}

/** The sides of a box that are dragged: -1 left or top, 1 right or bottom, 0 none. */
export interface Grip {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

/** Returns the sides of a box within `radius` image pixels of a point on its outline. */
export function gripAt(rings: Rings, at: Point, radius: number): Grip {
  const [x, y, width, height] = ringsBounds(rings);
  return { x: sideOf(at.x, x, x + width, radius), y: sideOf(at.y, y, y + height, radius) };
}

/** Moves a corner or an edge of a box. Dragging it past the opposite side still gives a valid box. */
export function moveGrip(rings: Rings, grip: Grip, to: Point): Rings {
  const [x, y, width, height] = ringsBounds(rings);
  const [left, right] = sides(x, x + width, grip.x, to.x);
  const [top, bottom] = sides(y, y + height, grip.y, to.y);
  return [[[left, top, right, top, right, bottom, left, bottom]]];
}

/** Rotations with Shift are multiples of this, in degrees. */
const TURN_STEP = 15;

/**
 * Rotates a box about its middle by the angle that the pointer has moved around it. With `isStepped`, the box's
 * rotation becomes a multiple of 15 degrees.
 */
export function turnBox(rings: Rings, from: Point, to: Point, isStepped: boolean): Rings {
  const ring = rings[0]?.[0];
  if (!ring) return rings;
  const { x, y } = middleOf(ring);
  const by = ((Math.atan2(to.y - y, to.x - x) - Math.atan2(from.y - y, from.x - x)) * 180) / Math.PI;
  const now = rotationOf(ring);
  const degrees = isStepped ? Math.round((now + by) / TURN_STEP) * TURN_STEP - now : by;
  return [[rotateBox(ring, degrees)]];
}

function sideOf(at: number, low: number, high: number, radius: number): -1 | 0 | 1 {
  const near = Math.abs(at - low) <= Math.abs(at - high) ? -1 : 1;
  return Math.abs(at - (near < 0 ? low : high)) <= radius ? near : 0;
}

function sides(low: number, high: number, side: -1 | 0 | 1, to: number): [number, number] {
  if (side === 0) return [low, high];
  const fixed = side < 0 ? high : low;
  return [Math.min(fixed, to), Math.max(fixed, to)];
}

function withRing(rings: Rings, { polygon, ring }: Place, change: (flat: Ring) => Ring): Rings {
  return rings.map((list, i) => (i === polygon ? list.map((flat, k) => (k === ring ? change(flat) : flat)) : list));
}
