import type { Ring } from "../entities/shape";
import { openRing, ringBounds, walkRing } from "../geometry/ring";

/** Largest number of vertices of a ring to consider for a bridge. */
const MAX_CANDIDATES = 64;

/** A ring, and the indices of the vertices where the path enters and leaves it. */
interface Station {
  ring: Ring;
  entry: number;
  exit: number;
}

/**
 * Returns one ring that fills the same area, by the even-odd rule, as several rings together: separate pieces, and
 * holes in them. From left to right, each ring is joined to the next by a bridge of zero width. The path crosses every
 * bridge there and back, so that the two edges of a bridge cancel out. YOLO's own converters write several pieces in
 * this way. Rings of fewer than three points are left out.
 */
export function joinRings(rings: readonly Ring[]): Ring {
  const stations: Station[] = rings
    .map(openRing)
    .filter((ring) => ring.length >= 6)
    .map((ring) => ({ ring, left: ringBounds(ring)[0] }))
    .sort((a, b) => a.left - b.left)
    .map(({ ring }) => ({ ring, entry: 0, exit: 0 }));
  const [first] = stations;
  if (!first || stations.length === 1) return first?.ring ?? [];
  for (let i = 0; i + 1 < stations.length; i++) [stations[i]!.exit, stations[i + 1]!.entry] = bridge(stations, i);
  first.entry = first.exit;
  const last = stations.at(-1)!;
  last.exit = last.entry;
  return [...stations.flatMap(there), ...stations.slice(1, -1).reverse().flatMap(back)];
}

/**
 * Returns the part of a ring that the path follows on the way there: all of it if the path enters and leaves the ring
 * at the same vertex, otherwise the part from the entry to the exit. The rest follows on the way back.
 */
const there = ({ ring, entry, exit }: Station): Ring =>
  entry === exit ? [...ring.slice(2 * entry), ...ring.slice(0, 2 * entry + 2)] : walkRing(ring, entry, exit);
const back = ({ ring, entry, exit }: Station): Ring => walkRing(ring, exit, entry);

/** Returns two vertices of neighbouring rings that are near each other. */
function bridge(stations: readonly Station[], i: number): [from: number, to: number] {
  const [a, b] = [stations[i]!.ring, stations[i + 1]!.ring];
  let best: [number, number] = [0, 0];
  let least = Number.POSITIVE_INFINITY;
  for (let m = 0; m < a.length; m += stride(a)) {
    for (let n = 0; n < b.length; n += stride(b)) {
      const distance = Math.hypot(a[m]! - b[n]!, a[m + 1]! - b[n + 1]!);
      if (distance >= least) continue;
      least = distance;
      best = [m / 2, n / 2];
    }
  }
  return best;
}

const stride = (ring: Ring): number => 2 * Math.ceil(ring.length / 2 / MAX_CANDIDATES);
