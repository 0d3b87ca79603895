type Point = readonly [number, number];

/** Largest distance between a line and the curve it approximates, in image pixels. */
const TOLERANCE = 0.25;

/**
 * Returns points of a cubic Bézier curve, including the first and without the last, close enough that the lines between
 * them stay within a quarter of a pixel of the curve. For a straight curve, returns only the first point. The number of
 * equal steps follows from the second derivative, which bounds the distance between a curve and its chord.
 */
export function flattenCurve(p0: Point, p1: Point, p2: Point, p3: Point): Point[] {
  if (isStraight(p0, p1, p2, p3)) return [p0];
  const bend = Math.max(
    Math.hypot(p0[0] - 2 * p1[0] + p2[0], p0[1] - 2 * p1[1] + p2[1]),
    Math.hypot(p1[0] - 2 * p2[0] + p3[0], p1[1] - 2 * p2[1] + p3[1]),
  );
  const steps = Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / TOLERANCE)));
  const points: Point[] = [p0];
  for (let i = 1; i < steps; i++) {
    const t = i / steps;
    const s = 1 - t;
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    points.push([a * p0[0] + b * p1[0] + c * p2[0] + d * p3[0], a * p0[1] + b * p1[1] + c * p2[1] + d * p3[1]]);
  }
  return points;
}

/** Returns true if both control points coincide with their ends, as in a segment without handles. */
function isStraight(p0: Point, p1: Point, p2: Point, p3: Point): boolean {
  return p0[0] === p1[0] && p0[1] === p1[1] && p2[0] === p3[0] && p2[1] === p3[1];
}
