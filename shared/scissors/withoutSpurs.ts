import type { Ring } from "../entities/shape";

/** Returns a ring without stretches that run back and forth along the same points, and without repeated points. */
export function withoutSpurs(ring: Ring): Ring {
  const kept: Ring = [];
  for (let i = 0; i < ring.length; i += 2) {
    if (isAt(kept, -2, ring[i]!, ring[i + 1]!)) kept.length -= 2;
    else if (!isAt(kept, -1, ring[i]!, ring[i + 1]!)) kept.push(ring[i]!, ring[i + 1]!);
  }
  return openedAtEnds(kept);
}

/** Returns true if the point at index `from` (-1 is the last one) is (x, y). */
function isAt(ring: Ring, from: number, x: number, y: number): boolean {
  return ring.at(2 * from) === x && ring.at(2 * from + 1) === y && ring.length >= -2 * from;
}

/** Removes stretches that run back and forth across the ring's first point. */
function openedAtEnds(ring: Ring): Ring {
  let [begin, end] = [0, ring.length];
  const isSame = (a: number, b: number) => ring[a] === ring[b] && ring[a + 1] === ring[b + 1];
  for (;;) {
    if (end - begin < 6) return ring.slice(begin, end);
    if (isSame(begin, end - 2)) end -= 2;
    else if (isSame(begin + 2, end - 2)) begin += 2;
    else if (isSame(begin, end - 4)) end -= 2;
    else return ring.slice(begin, end);
  }
}
