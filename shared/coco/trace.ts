import type { Ring, Rings } from "../entities/shape";
import type { Runs } from "./runs";

/**
 * Corners of a mask's outline. Each corner joins one horizontal and one vertical edge, so that loops are found by
 * following the two links alternately. Where two pixels touch only at a corner, there are two corners at one place, one
 * for each pixel, so that pixels are connected by their edges and never by their corners.
 */
class Corners {
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly horizontal: number[] = [];
  readonly vertical: number[] = [];
  /**
   * For a corner with the mask above it and not below: the left corner of the edge above that part of the mask;
   * otherwise -1. At the first corner of a loop, this distinguishes a hole, and its polygon, from an outer ring.
   */
  readonly roof: number[] = [];

  add(x: number, y: number, roof: number): number {
    this.x.push(x);
    this.y.push(y);
    this.horizontal.push(-1);
    this.vertical.push(-1);
    this.roof.push(roof);
    return this.x.length - 1;
  }

  joinHorizontal(a: number, b: number): void {
    this.horizontal[a] = b;
    this.horizontal[b] = a;
  }

  joinVertical(a: number, b: number): void {
    this.vertical[a] = b;
    this.vertical[b] = a;
  }
}

/** Error for a mask whose outline has more corners than allowed. */
export class TooManyCorners extends RangeError {
  override name = "TooManyCorners";
}

/**
 * Returns the exact outlines of a mask along its pixel edges: polygons (outer ring, then holes) in image pixels that
 * rasterise to the same mask. They have only true corners. On screen, outer rings run clockwise and holes
 * counterclockwise. Runs may be empty. The cost grows with the number of runs and columns. Throws a RangeError if the
 * runs do not fill the image, and TooManyCorners as soon as there are more than `maxCorners`.
 */
export function traceRuns(runs: Runs, width: number, height: number, maxCorners = Number.POSITIVE_INFINITY): Rings {
  const columns = new Columns(runs, height);
  const corners = new Corners();
  let rows: number[] = [];
  let starts: number[] = [];
  for (let x = 0; x <= width; x++) {
    const next = x < width ? columns.next() : [];
    const nextStarts: number[] = [];
    sweep(corners, x, rows, starts, next, nextStarts);
    if (corners.x.length > maxCorners) throw new TooManyCorners("The mask's outline has too many corners");
    rows = next;
    starts = nextStarts;
  }
  if (!columns.ended) throw new RangeError("The runs do not fill the image");
  return loops(corners);
}

/** Splits the runs of a mask into columns: for each, the rows at which the mask alternately begins and ends. */
class Columns {
  private index = 0;
  private rest: number;

  constructor(
    private readonly runs: Runs,
    private readonly height: number,
  ) {
    this.rest = runs[0] ?? 0;
  }

  get ended(): boolean {
    while (this.rest === 0 && this.index < this.runs.length - 1) this.rest = this.runs[++this.index]!;
    return this.rest === 0;
  }

  next(): number[] {
    const rows: number[] = [];
    let row = 0;
    while (row < this.height) {
      if (this.ended) throw new RangeError("The runs do not fill the image");
      const length = Math.min(this.rest, this.height - row);
      if (this.index % 2 === 1) {
        if (rows.length > 0 && rows[rows.length - 1] === row) rows.pop();
        else rows.push(row);
        rows.push(row + length);
      }
      row += length;
      this.rest -= length;
    }
    return rows;
  }
}

/**
 * Sweeps down the line between two columns. `left` has the rows at which the mask changes in the column before the
 * line, `leftStarts` the corners where those horizontal edges begin; `right` has the rows of the column after it, whose
 * `rightStarts` are filled in. There is a vertical edge wherever the two columns differ.
 */
function sweep(
  corners: Corners,
  x: number,
  left: readonly number[],
  leftStarts: readonly number[],
  right: readonly number[],
  rightStarts: number[],
): void {
  let i = 0;
  let j = 0;
  /** The corner at the upper end of the vertical edge that is being drawn, or -1. */
  let upper = -1;
  const turn = (corner: number) => {
    if (upper < 0) upper = corner;
    else {
      corners.joinVertical(upper, corner);
      upper = -1;
    }
  };
  const endLeft = (y: number) => {
    const corner = corners.add(x, y, -1);
    corners.joinHorizontal(leftStarts[i]!, corner);
    return corner;
  };
  const beginRight = (y: number) => {
    const corner = corners.add(x, y, j % 2 === 1 ? rightStarts[j - 1]! : -1);
    rightStarts.push(corner);
    return corner;
  };
  while (i < left.length || j < right.length) {
    const a = i < left.length ? left[i]! : Number.POSITIVE_INFINITY;
    const b = j < right.length ? right[j]! : Number.POSITIVE_INFINITY;
    if (a < b) {
      turn(endLeft(a));
      i++;
    } else if (b < a) {
      turn(beginRight(b));
      j++;
    } else {
      if (upper < 0) rightStarts.push(leftStarts[i]!);
      else if (i % 2 === 1) {
        turn(endLeft(a));
        turn(beginRight(b));
      } else {
        turn(beginRight(b));
        turn(endLeft(a));
      }
      i++;
      j++;
    }
  }
}

/** Collects the loops of corners into polygons. A loop's first corner is the upper end of its leftmost edge. */
function loops({ x, y, horizontal, vertical, roof }: Corners): Rings {
  const rings: Rings = [];
  const polygonOf = new Int32Array(x.length).fill(-1);
  for (let first = 0; first < x.length; first++) {
    if (polygonOf[first] !== -1) continue;
    const isHole = roof[first] !== -1;
    const polygon = isHole ? polygonOf[roof[first]!]! : rings.length;
    const ring: Ring = [];
    let corner = first;
    let alongRow = !isHole;
    do {
      polygonOf[corner] = polygon;
      ring.push(x[corner]!, y[corner]!);
      corner = alongRow ? horizontal[corner]! : vertical[corner]!;
      alongRow = !alongRow;
    } while (corner !== first);
    if (isHole) rings[polygon]!.push(ring);
    else rings.push([ring]);
  }
  return rings;
}
