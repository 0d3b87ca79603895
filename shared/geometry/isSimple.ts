import type { Ring } from "../entities/shape";
import { eachNearPair, foldsBack, meet } from "./segments";

/**
 * Whether a ring nowhere crosses, touches or repeats itself. False for one of fewer than three points, and where it takes
 * too long to find out.
 */
export function isSimple(ring: Ring): boolean {
  const count = ring.length >> 1;
  if (count < 3) return false;
  const segments = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    const next = i + 1 < count ? i + 1 : 0;
    segments[4 * i] = ring[2 * i]!;
    segments[4 * i + 1] = ring[2 * i + 1]!;
    segments[4 * i + 2] = ring[2 * next]!;
    segments[4 * i + 3] = ring[2 * next + 1]!;
  }
  return eachNearPair(segments, (a, b) => {
    if (a + 1 === b || (b === 0 && a === count - 1)) return foldsBack(segments, a, b);
    if (b + 1 === a || (a === 0 && b === count - 1)) return foldsBack(segments, b, a);
    return meet(segments, a, b);
  });
}
