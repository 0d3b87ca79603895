import type { Ring, Rings } from "../../../shared/entities/shape";
import { openRing } from "../../../shared/geometry/ring";
import { boxOf, checkPoints } from "../base/points";
import type { Point } from "../base/request";

/** Straight segments of a quarter ellipse. */
const SEGMENTS = 16;

/**
 * Returns the best guess without a network, in image pixels: four quarter ellipses from extreme point to extreme point,
 * each tangent to the box of the points. Throws an Error if there are no points, or if one has a coordinate that is not
 * finite.
 */
export function arcs(points: readonly Point[]): Rings {
  checkPoints(points);
  const box = boxOf(points);
  const top: Point = [least(points, ([, y]) => y)[0] + 0.5, box.top];
  const right: Point = [box.right, least(points, ([x]) => -x)[1] + 0.5];
  const bottom: Point = [least(points, ([, y]) => -y)[0] + 0.5, box.bottom];
  const left: Point = [box.left, least(points, ([x]) => x)[1] + 0.5];
  return [
    [
      openRing([
        ...quarter(top, right, [top[0], right[1]]),
        ...quarter(right, bottom, [bottom[0], right[1]]),
        ...quarter(bottom, left, [bottom[0], left[1]]),
        ...quarter(left, top, [top[0], left[1]]),
      ]),
    ],
  ];
}

function least(points: readonly Point[], measure: (point: Point) => number): Point {
  return points.reduce((best, point) => (measure(point) < measure(best) ? point : best));
}

/** Returns the quarter ellipse around a centre from one point to another, without the latter. */
function quarter(from: Point, to: Point, centre: Point): Ring {
  const ring: Ring = [];
  for (let i = 0; i < SEGMENTS; i++) {
    const [cos, sin] = [Math.cos((i * Math.PI) / 2 / SEGMENTS), Math.sin((i * Math.PI) / 2 / SEGMENTS)];
    ring.push(
      centre[0] + cos * (from[0] - centre[0]) + sin * (to[0] - centre[0]),
      centre[1] + cos * (from[1] - centre[1]) + sin * (to[1] - centre[1]),
    );
  }
  return ring;
}
