import type { Ring } from "../entities/shape";
import { eachNearPair, foldsBack, meet } from "./segments";

/** Returns true if a ring does not cross, touch or repeat itself; see `areSimple`. */
export const isSimple = (ring: Ring): boolean => areSimple([ring]);

/**
 * Returns true if rings do not cross, touch or repeat themselves or each other. Returns false if a ring has fewer than
 * three points, or if the check would take too long.
 */
export function areSimple(rings: readonly Ring[]): boolean {
  if (rings.some((ring) => ring.length < 6)) return false;
  const count = rings.reduce((sum, ring) => sum + (ring.length >> 1), 0);
  const segments = new Float64Array(4 * count);
  const following = new Uint32Array(count);
  let first = 0;
  for (const ring of rings) {
    const points = ring.length >> 1;
    for (let i = 0; i < points; i++) {
      const next = i + 1 < points ? i + 1 : 0;
      const at = 4 * (first + i);
      segments[at] = ring[2 * i]!;
      segments[at + 1] = ring[2 * i + 1]!;
      segments[at + 2] = ring[2 * next]!;
      segments[at + 3] = ring[2 * next + 1]!;
      following[first + i] = first + next;
    }
    first += points;
  }
  return eachNearPair(segments, (a, b) => {
    if (following[a] === b) return foldsBack(segments, a, b);
    if (following[b] === a) return foldsBack(segments, b, a);
    return meet(segments, a, b);
  });
}
