import type { Path64, PolyPath64, PolyTree64 } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";
import { pointInside } from "./pointInside";
import { ringContains, signedArea } from "./ring";

/** Units of the clipping library per image pixel: the library computes with whole numbers. */
export const SCALE = 1000;

export function toUnits(pixels: number): number {
  return Math.round(pixels * SCALE);
}

export function fromUnits(units: number): number {
  return units / SCALE;
}

export function toPath(ring: Ring): Path64 {
  const path: Path64 = [];
  for (let i = 0; i + 1 < ring.length; i += 2) path.push({ x: toUnits(ring[i]!), y: toUnits(ring[i + 1]!) });
  return path;
}

export function toRing(path: Path64): Ring {
  const ring: Ring = [];
  for (const { x, y } of path) ring.push(x / SCALE, y / SCALE);
  return ring;
}

/**
 * Remembers points that are not on the library's grid, so that points which the library returns unmoved get their exact
 * positions back.
 */
export class ExactPoints {
  private readonly points = new Map<number, readonly [number, number]>();

  constructor(rings: Rings) {
    for (const ring of rings.flat())
      for (let i = 0; i + 1 < ring.length; i += 2) {
        const [x, y] = [ring[i]!, ring[i + 1]!];
        const [gridX, gridY] = [toUnits(x) / SCALE, toUnits(y) / SCALE];
        if (gridX !== x || gridY !== y) this.points.set(keyOf(toUnits(x), toUnits(y)), [x, y]);
      }
  }

  /** Restores the exact positions of unmoved points, in place. Returns the ring. */
  restore(ring: Ring): Ring {
    if (this.points.size === 0) return ring;
    for (let i = 0; i + 1 < ring.length; i += 2) {
      const [unitsX, unitsY] = [toUnits(ring[i]!), toUnits(ring[i + 1]!)];
      const exact = this.points.get(keyOf(unitsX, unitsY));
      if (exact && toUnits(exact[0]) === unitsX && toUnits(exact[1]) === unitsY) [ring[i], ring[i + 1]] = exact;
    }
    return ring;
  }
}

/** Returns a hash of two numbers. Callers must compare the points, since two may have the same hash. */
const keyOf = (x: number, y: number): number => x * 2_097_169 + y;

/**
 * Returns the polygons of a result, each with its holes. The direction of a ring decides whether it is a hole: where
 * edges nearly coincide, the library's tree has holes beside the polygons that they belong to.
 */
export function treeRings(tree: PolyTree64): Rings {
  const rings: Rings = [];
  const strays: Ring[] = [];
  const open: PolyPath64[] = [tree];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    for (const node of childrenOf(parent)) {
      const outer = toRing(node.poly ?? []);
      const below = childrenOf(node).map((child) => ({ child, ring: toRing(child.poly ?? []) }));
      if (signedArea(outer) < 0) {
        strays.push(outer);
        open.push(node);
        continue;
      }
      const polygon = [outer];
      rings.push(polygon);
      for (const { child, ring } of below) {
        if (signedArea(ring) > 0) rings.push([ring]);
        else polygon.push(ring);
        open.push(child);
      }
    }
  }
  for (const hole of strays) polygonAround(rings, hole)?.push(hole);
  return rings;
}

/** Returns the smallest polygon around a hole. */
function polygonAround(polygons: Rings, hole: Ring): Ring[] | undefined {
  const [x, y] = pointInside(hole);
  const around = polygons.filter(([outer = []]) => ringContains(outer, x, y));
  return around.sort(([a = []], [b = []]) => signedArea(a) - signedArea(b))[0];
}

function childrenOf(node: PolyPath64): PolyPath64[] {
  return Array.from({ length: node.count }, (_, i) => node.child(i));
}
