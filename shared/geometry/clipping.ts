import type { Path64, PolyPath64, PolyTree64 } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";

/** Units per image pixel of the clipping library, which computes with whole numbers. */
const SCALE = 1000;

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
 * Remembers points that are not on the library's grid, so that those it returns unmoved get their exact positions back.
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

/** Returns the polygons of a result, each with its holes. */
export function treeRings(tree: PolyTree64): Rings {
  const rings: Rings = [];
  const open: PolyPath64[] = [tree];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    for (const outer of childrenOf(parent)) {
      const holes = childrenOf(outer);
      rings.push([outer, ...holes].map((node) => toRing(node.poly ?? [])));
      open.push(...holes);
    }
  }
  return rings;
}

function childrenOf(node: PolyPath64): PolyPath64[] {
  return Array.from({ length: node.count }, (_, i) => node.child(i));
}
