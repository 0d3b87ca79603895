import type { Ring, Rings } from "../../entities/shape";
import { areSimple } from "../isSimple";
import { isLine } from "../lines/line";
import { simplifyRings } from "../simplify";

/** Largest distance in image pixels between a rounded corner and the lines that approximate it. */
const FINEST = 0.1;
/** Number of attempts, each with half the rounding of the one before, until the corners stay as they are. */
const TRIES = 4;

/**
 * Simplifies all rings and rounds their corners. The new outline stays within `tolerance` image pixels of the old one:
 * half of it is for removed points, half for corners. New points have three decimals. Corners stay sharp where rounding
 * would let outlines cross, and in lines. Method: each corner becomes a quadratic Bézier curve between points on its
 * two edges.
 */
export function smoothRings(rings: Rings, tolerance: number): Rings {
  const simple = simplifyRings(rings, tolerance / 2);
  if (!(tolerance > 0)) return simple;
  return simple.map((polygon) => {
    if (isLine(polygon)) return polygon;
    const mustStaySimple = areSimple(polygon);
    for (let tries = 0, depth = tolerance / 2; tries < TRIES; tries++, depth /= 2) {
      const rounded = polygon.map((ring) => roundCorners(ring, depth));
      if (!mustStaySimple || areSimple(rounded)) return rounded;
    }
    return polygon;
  });
}

/** Returns a ring whose corners are cut by curves that come within `depth` image pixels of them. */
function roundCorners(ring: Ring, depth: number): Ring {
  const count = ring.length >> 1;
  if (count < 3) return ring;
  const out: Ring = [];
  for (let i = 0; i < count; i++) {
    const [before, after] = [(i + count - 1) % count, (i + 1) % count];
    const [x, y] = [ring[2 * i]!, ring[2 * i + 1]!];
    const [ax, ay] = [ring[2 * before]! - x, ring[2 * before + 1]! - y];
    const [bx, by] = [ring[2 * after]! - x, ring[2 * after + 1]! - y];
    const bend = Math.hypot(ax + bx, ay + by);
    // The curve's middle is a quarter of the way from the corner to the sum of its arms.
    const share = bend === 0 ? 0 : Math.min(0.5, (4 * depth) / bend);
    const steps = Math.ceil(Math.sqrt((share * bend) / (4 * FINEST)));
    if (steps < 2) out.push(x, y);
    else
      for (let k = 0; k <= steps; k++)
        out.push(...onCurve([x, y], [ax * share, ay * share], [bx * share, by * share], k / steps));
  }
  return out;
}

/** Returns the point at `t` (0 to 1) of the curve between the ends of a corner's arms. */
function onCurve(
  [x, y]: [number, number],
  [ax, ay]: [number, number],
  [bx, by]: [number, number],
  t: number,
): [number, number] {
  const [a, b] = [(1 - t) ** 2, t ** 2];
  return [rounded(x + a * ax + b * bx), rounded(y + a * ay + b * by)];
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
