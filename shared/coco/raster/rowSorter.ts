/** Largest number of rows to sort by insertion. Most columns have two to ten. */
const FEW = 32;
/** Pixels per row below which a bitmap of the column is faster than sorting. */
const CROWDED = 64;

/** Sorts the rows at which one ring toggles a column. */
export class RowSorter {
  /** One bit per row, all 0 between two calls. Most shapes do not need it. */
  private bits: Int32Array | undefined;

  constructor(readonly height: number) {}

  /**
   * Sorts rows[from .. to), at which one ring toggles a column, in ascending order. Pairs of equal rows cancel out.
   * Rows below the image are replaced by its lower border if the mask is still open there. Returns the new end of the
   * part.
   */
  sortClosed(rows: Int32Array, from: number, to: number): number {
    let end = this.sortToggles(rows, from, to);
    while (end > from && rows[end - 1]! >= this.height) end--;
    if ((end - from) % 2 === 1) rows[end++] = this.height;
    return end;
  }

  private sortToggles(rows: Int32Array, from: number, to: number): number {
    const count = to - from;
    if (count > FEW && count > this.height / CROWDED) return this.sortCrowded(rows, from, to);
    this.order(rows, from, to);
    let end = from;
    for (let k = from; k < to; k++) {
      if (end > from && rows[end - 1] === rows[k]) end--;
      else rows[end++] = rows[k]!;
    }
    return end;
  }

  /** Sorts values[from .. to) in ascending order. */
  order(values: Int32Array, from: number, to: number): void {
    if (to - from > FEW) values.subarray(from, to).sort();
    else insertionSort(values, from, to);
  }

  private sortCrowded(rows: Int32Array, from: number, to: number): number {
    this.bits ??= new Int32Array((this.height >> 5) + 1);
    const { bits } = this;
    for (let k = from; k < to; k++) bits[rows[k]! >> 5]! ^= 1 << (rows[k]! & 31);
    let end = from;
    for (let word = 0; word < bits.length; word++) {
      let rest = bits[word]!;
      bits[word] = 0;
      while (rest !== 0) {
        rows[end++] = (word << 5) | (31 - Math.clz32(rest & -rest));
        rest &= rest - 1;
      }
    }
    return end;
  }
}

function insertionSort(values: Int32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!;
    let k = i - 1;
    while (k >= from && values[k]! > value) {
      values[k + 1] = values[k]!;
      k--;
    }
    values[k + 1] = value;
  }
}
