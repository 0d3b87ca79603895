import type { Ring, Rings } from "../entities/shape";
import { signedArea } from "../geometry/ring";
import { simplifyRings } from "../geometry/simplify";

/** Edge lengths from which a corner is kept as part of the object: length of both edges, or of one. */
const LONG = 3;
const VERY_LONG = 16;

/**
 * Reduces an outline along pixel edges to few points near the true border. Slanting borders appear as stairs; the true
 * border runs through the middles of the steps, which replace the corners. The result is simplified. Rings smaller than
 * a square with sides of twice the tolerance are dropped, except for the largest piece. `tolerance` is in image pixels.
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

/** Returns the middles of the edges, and the corners that are not steps. The ring must have only right angles. */
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
