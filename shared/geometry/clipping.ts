import type { Path64, PolyPath64, PolyTree64 } from "clipper2-ts";
import type { Ring, Rings } from "../entities/shape";

/** Between rings in image pixels and the clipping library's whole numbers, of which a pixel has 1,000. */
const SCALE = 1000;

export function toUnits(pixels: number): number {
  return Math.round(pixels * SCALE);
}

export function toPath(ring: Ring): Path64 {
  const path: Path64 = [];
  for (let i = 0; i + 1 < ring.length; i += 2) path.push({ x: toUnits(ring[i]!), y: toUnits(ring[i + 1]!) });
  return path;
}

export function toRing(path: Path64): Ring {
  return path.flatMap(({ x, y }) => [x / SCALE, y / SCALE]);
}

/** The polygons of a result, each with its holes. */
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
