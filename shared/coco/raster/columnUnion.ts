import type { RowSorter } from "./rowSorter";

/** Pixels per interval below which counting through the column is faster than sorting. */
const CROWDED = 16;

/**
 * Computes the union of masks of one column. Each mask is an ascending list of rows at which it alternately begins and
 * ends. The result is such a list too, and no row occurs twice in it.
 */
export class ColumnUnion {
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  private count = 0;
  /** For crowded columns: the change in the number of masks at each row. All 0 between two columns. */
  private changes: Int32Array | undefined;

  /** @param capacity largest number of rows that all masks of a column have together */
  constructor(
    capacity: number,
    private readonly sorter: RowSorter,
  ) {
    this.starts = new Int32Array(capacity >> 1);
    this.ends = new Int32Array(capacity >> 1);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  add(rows: Int32Array, from: number, to: number): void {
    for (let k = from; k < to; k += 2) {
      this.starts[this.count] = rows[k]!;
      this.ends[this.count++] = rows[k + 1]!;
    }
  }

  /** Writes the union of the added masks to `out` and forgets the masks. Returns the number of rows. */
  take(out: Int32Array): number {
    const { count, sorter } = this;
    this.count = 0;
    return count > sorter.height / CROWDED ? this.countThrough(out, count) : this.sweep(out, count);
  }

  private sweep(out: Int32Array, count: number): number {
    const { starts, ends, sorter } = this;
    sorter.order(starts, 0, count);
    sorter.order(ends, 0, count);
    let written = 0;
    let i = 0;
    for (let j = 0; j < count; ) {
      if (i === j) out[written++] = starts[i++]!;
      while (i < count && starts[i]! <= ends[j]!) i++;
      // All intervals that have begun have ended.
      if (++j === i) out[written++] = ends[j - 1]!;
    }
    return written;
  }

  private countThrough(out: Int32Array, count: number): number {
    this.changes ??= new Int32Array(this.sorter.height + 1);
    const { changes, starts, ends } = this;
    for (let k = 0; k < count; k++) {
      changes[starts[k]!]!++;
      changes[ends[k]!]!--;
    }
    let written = 0;
    let inside = 0;
    for (let row = 0; row < changes.length; row++) {
      const before = inside;
      inside += changes[row]!;
      changes[row] = 0;
      if ((before === 0) !== (inside === 0)) out[written++] = row;
    }
    return written;
  }
}

/** Writes the part of mask a[from .. to) outside mask b[0 .. count) to `out`. Returns the number of rows. */
export function subtract(
  a: Int32Array,
  from: number,
  to: number,
  b: Int32Array,
  count: number,
  out: Int32Array,
): number {
  let i = from;
  let j = 0;
  let written = 0;
  let inside = false;
  while (i < to) {
    const row = j < count ? Math.min(a[i]!, b[j]!) : a[i]!;
    if (a[i] === row) i++;
    if (j < count && b[j] === row) j++;
    const next = (i - from) % 2 === 1 && j % 2 === 0;
    if (next !== inside) out[written++] = row;
    inside = next;
  }
  return written;
}
