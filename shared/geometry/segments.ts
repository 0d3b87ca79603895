/** Straight segments of outlines, x0, y0, x1, y1 each, in one list. Coordinates are in any unit. */
export type Segments = Float64Array;

/** Average number of pairs to test per segment before the search gives up. */
const MOST_PAIRS = 200;

/**
 * Calls `visit` once for each pair of segments whose boxes touch, until it returns true. Returns true if all pairs were
 * visited; false if `visit` ended the search, or if there are so many pairs that the user would have to wait. Method:
 * orders segments roughly by their left ends (counting sort) and compares each with those that begin before it ends.
 */
export function eachNearPair(segments: Segments, visit: (a: number, b: number) => boolean): boolean {
  const count = segments.length >> 2;
  const { order, firsts, lasts } = sorted(segments);
  let rest = MOST_PAIRS * count;
  for (let i = 0; i < count; i++) {
    const a = order[i]!;
    for (let j = i + 1; j < count && firsts[order[j]!]! <= lasts[a]!; j++) {
      if (--rest < 0) return false;
      const b = order[j]!;
      if (boxesTouch(segments, a, b) && visit(a, b)) return false;
    }
  }
  return true;
}

/**
 * Returns the segments from left to right, by the vertical strip in which each begins, and the strips in which each
 * begins and ends.
 */
function sorted(segments: Segments) {
  const count = segments.length >> 2;
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < segments.length; i += 2) {
    left = Math.min(left, segments[i]!);
    right = Math.max(right, segments[i]!);
  }
  const scale = right > left ? count / (right - left) : 0;
  const firsts = new Uint32Array(count);
  const lasts = new Uint32Array(count);
  const starts = new Uint32Array(count + 2);
  for (let i = 0; i < count; i++) {
    firsts[i] = (Math.min(segments[4 * i]!, segments[4 * i + 2]!) - left) * scale;
    lasts[i] = (Math.max(segments[4 * i]!, segments[4 * i + 2]!) - left) * scale;
    starts[firsts[i]! + 1]!++;
  }
  for (let strip = 1; strip < starts.length; strip++) starts[strip]! += starts[strip - 1]!;
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[starts[firsts[i]!]!++] = i;
  return { order, firsts, lasts };
}

function boxesTouch(s: Segments, a: number, b: number): boolean {
  const [i, j] = [4 * a, 4 * b];
  return (
    Math.min(s[i]!, s[i + 2]!) <= Math.max(s[j]!, s[j + 2]!) &&
    Math.max(s[i]!, s[i + 2]!) >= Math.min(s[j]!, s[j + 2]!) &&
    Math.min(s[i + 1]!, s[i + 3]!) <= Math.max(s[j + 1]!, s[j + 3]!) &&
    Math.max(s[i + 1]!, s[i + 3]!) >= Math.min(s[j + 1]!, s[j + 3]!)
  );
}

/** Returns twice the signed area of the triangle of segment `a` and one end of `b` (0 or 1). The sign is the side. */
function side(s: Segments, a: number, b: number, end: 0 | 1): number {
  const [i, j] = [4 * a, 4 * b + 2 * end];
  return (s[i + 2]! - s[i]!) * (s[j + 1]! - s[i + 1]!) - (s[i + 3]! - s[i + 1]!) * (s[j]! - s[i]!);
}

/** Returns true if two segments cross between their ends. */
export function cross(segments: Segments, a: number, b: number): boolean {
  return side(segments, a, b, 0) * side(segments, a, b, 1) < 0 && side(segments, b, a, 0) * side(segments, b, a, 1) < 0;
}

/** Returns true if two segments whose boxes touch have a point in common. */
export function meet(segments: Segments, a: number, b: number): boolean {
  return (
    side(segments, a, b, 0) * side(segments, a, b, 1) <= 0 && side(segments, b, a, 0) * side(segments, b, a, 1) <= 0
  );
}

/** Returns true if segment `b`, which begins where `a` ends, runs back along it. */
export function foldsBack(s: Segments, a: number, b: number): boolean {
  const [i, j] = [4 * a, 4 * b];
  if (side(s, a, b, 1) !== 0) return false;
  return (s[i + 2]! - s[i]!) * (s[j + 2]! - s[j]!) + (s[i + 3]! - s[i + 1]!) * (s[j + 3]! - s[j + 1]!) < 0;
}
