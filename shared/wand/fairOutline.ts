import type { Ring, Rings } from "../entities/shape";
import { signedArea } from "../geometry/ring";
import { simplifyRings } from "../geometry/simplify";

/** Edge lengths from which a corner belongs to the object itself: of both edges, or of one. */
const LONG = 3;
const VERY_LONG = 16;

/**
 * An outline along pixel edges as few points near the true border. Straight slanting borders show as stairs; their true
 * course goes through the middles of the steps, which take the place of the corners. Then it is simplified, and rings
 * that are smaller than a square of twice the tolerance go, but for the largest piece. `tolerance` is in image pixels.
 */
export function fairOutline(rings: Rings, tolerance: number): Rings {
  const smallest = 4 * tolerance * tolerance;
  const isLarge = (ring: Ring) => Math.abs(signedArea(ring)) >= smallest;
  let pieces = rings.filter(([outer]) => isLarge(outer!));
  if (pieces.length === 0) pieces = rings.toSorted(byArea).slice(0, 1);
  const smooth = pieces.map(([outer, ...holes]) => [outer!, ...holes.filter(isLarge)].map(withoutSteps));
  return simplifyRings(smooth, tolerance);
}

function byArea([a]: Ring[], [b]: Ring[]): number {
  return Math.abs(signedArea(b!)) - Math.abs(signedArea(a!));
}

/** The middles of the edges, and of the corners those that are no steps. The ring has corners only, at right angles. */
function withoutSteps(ring: Ring): Ring {
  const out: Ring = [];
  let [x0, y0] = ring.slice(-2) as [number, number];
  let before = Math.abs(x0 - ring.at(-4)!) + Math.abs(y0 - ring.at(-3)!);
  for (let i = 0; i < ring.length; i += 2) {
    const [x1, y1] = [ring[i]!, ring[i + 1]!];
    const length = Math.abs(x1 - x0) + Math.abs(y1 - y0);
    if (Math.min(before, length) >= LONG || Math.max(before, length) >= VERY_LONG) out.push(x0, y0);
    out.push((x0 + x1) / 2, (y0 + y1) / 2);
    [x0, y0, before] = [x1, y1, length];
  }
  return out;
}
