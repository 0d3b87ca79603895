import type { Ring, Rings } from "../entities/shape";
import { ringsContain } from "./polygons";
import { nearestOnOutline, nearestVertex, type OutlinePoint } from "./ring";

/** The target under a point: a vertex, a point on an outline, or the inside of a shape. Indices count from 0. */
export type Hit =
  | { kind: "vertex"; polygon: number; ring: number; vertex: number; distance: number }
  | ({ kind: "outline"; polygon: number; ring: number } & OutlinePoint)
  | { kind: "inside" };

/** Hit distances in image pixels (divide screen pixels by the zoom). Zero or less disables that kind of hit. */
export interface HitRadii {
  vertex: number;
  outline: number;
}

/**
 * Returns the nearest vertex within its radius, else the nearest point on an outline within its radius, else the
 * inside, else null.
 */
export function hitTest(rings: Rings, x: number, y: number, radii: HitRadii): Hit | null {
  return hitVertex(rings, x, y, radii.vertex) ?? hitOutline(rings, x, y, radii.outline) ?? hitInside(rings, x, y);
}

function hitVertex(rings: Rings, x: number, y: number, radius: number): Hit | null {
  let hit: Extract<Hit, { kind: "vertex" }> | null = null;
  if (radius <= 0) return hit;
  for (const [polygon, list] of rings.entries())
    for (const [ring, flat] of list.entries()) {
      const near = nearestVertex(flat, x, y);
      if (near && near.distance <= (hit?.distance ?? radius)) hit = { kind: "vertex", polygon, ring, ...near };
    }
  return hit;
}

function hitOutline(rings: Rings, x: number, y: number, radius: number): Hit | null {
  let hit: Extract<Hit, { kind: "outline" }> | null = null;
  if (radius <= 0) return hit;
  for (const [polygon, list] of rings.entries())
    for (const [ring, flat] of list.entries()) {
      const near = nearestOnOutline(flat, x, y);
      if (near && near.distance <= (hit?.distance ?? radius)) hit = { kind: "outline", polygon, ring, ...near };
    }
  return hit;
}

function hitInside(rings: Rings, x: number, y: number): Hit | null {
  return ringsContain(rings, x, y) ? { kind: "inside" } : null;
}

/** Returns a new ring with a point inserted after vertex `after`, which comes from an outline hit. */
export function insertPoint(ring: Ring, after: number, x: number, y: number): Ring {
  return [...ring.slice(0, 2 * after + 2), x, y, ...ring.slice(2 * after + 2)];
}
