import type { Ring } from "../../../shared/entities/shape";

/**
 * Values at the crossings of vertical lines at `xs` and horizontal lines at `ys`, row by row; both are non-decreasing.
 */
export interface Field {
  xs: Float64Array;
  ys: Float64Array;
  values: Float32Array;
}

/** Sides of a cell, clockwise (3 is the left one). The index of a cell is that of its upper left node. */
const [TOP, RIGHT, BOTTOM] = [0, 1, 2];

/** Smallest distance of a crossing from its inner node, as a share of a side, so that rings never touch. */
const APART = 1e-3;

/**
 * Returns the outlines of the area with values of at least `level`: closed rings, clockwise on screen, and
 * counterclockwise around holes. Values on the outermost lines must be below the level, so that every ring closes.
 * Method: marching squares with linear interpolation along the sides (Lorensen and Cline 1987, in the plane); if two
 * opposite corners are inside, the mean of all four decides whether they are connected.
 */
export function contour({ xs, ys, values }: Field, level: number): Ring[] {
  const width = xs.length;
  const isIn = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) if (values[i]! >= level) isIn[i] = 1;
  const seen = new Uint8Array(values.length);
  const rings: Ring[] = [];

  /** Adds the crossing between a node inside and its neighbour outside to the ring. */
  const cross = (ring: Ring, inner: number, outer: number) => {
    const share = (level - values[inner]!) / (values[outer]! - values[inner]!);
    const along = Math.min(Math.max(share, APART), 1);
    const [x0, y0] = [xs[inner % width]!, ys[Math.floor(inner / width)]!];
    const [x1, y1] = [xs[outer % width]!, ys[Math.floor(outer / width)]!];
    const x = x0 + along * (x1 - x0);
    const y = y0 + along * (y1 - y0);
    if (x !== ring[ring.length - 2] || y !== ring[ring.length - 1]) ring.push(x, y);
  };

  /** Returns the side through which a ring that entered by `side` leaves a cell. The inside is on its right. */
  const leave = (cell: number, side: number): number => {
    const corners = [cell, cell + 1, cell + width + 1, cell + width];
    const inside = (n: number) => isIn[corners[n & 3]!] === 1;
    // The ring entered between corner `side`, which is inside, and the next corner, which is outside.
    const isSaddle = inside(side + 2) && !inside(side + 3);
    if (isSaddle) {
      const sum = corners.reduce((total, corner) => total + values[corner]!, 0);
      return (sum >= 4 * level ? side + 1 : side + 3) & 3;
    }
    if (inside(side + 2)) return (side + 1) & 3;
    return (inside(side + 3) ? side + 2 : side + 3) & 3;
  };

  const follow = (start: number): Ring => {
    const ring: Ring = [];
    let cell = start;
    let side = TOP;
    do {
      if (side === TOP) {
        seen[cell] = 1;
        cross(ring, cell, cell + 1);
      } else if (side === RIGHT) cross(ring, cell + 1, cell + width + 1);
      else if (side === BOTTOM) cross(ring, cell + width + 1, cell + width);
      else cross(ring, cell + width, cell);
      const out = leave(cell, side);
      cell += out === TOP ? -width : out === RIGHT ? 1 : out === BOTTOM ? width : -1;
      side = (out + 2) & 3;
    } while (cell !== start || side !== TOP);
    return ring;
  };

  // Every ring enters some cell through its top.
  for (let cell = 0; cell + width < values.length; cell++)
    if (isIn[cell] && !isIn[cell + 1] && !seen[cell]) rings.push(follow(cell));
  return rings;
}
