import type { BorderWeights } from "./borderWeights";
import { BLOCK, type Mask } from "./mask";
import type { Survey } from "./survey";

/** Weighted sum of the pixels left and right of a column in one row. The column moves to the right. */
export class RowSums {
  /** Pixels of the row, with zeros before and after them. */
  private readonly line: Uint8Array;
  private row = 0;
  /** The column that `sum` and `balance` are for, or -1 if for none. */
  private at = -1;
  private sum = 0;
  /** Number of mask pixels within reach of the column: those in it or to its left, minus those to its right. */
  private balance = 0;

  constructor(
    private readonly mask: Mask,
    private readonly survey: Survey,
    private readonly weights: BorderWeights,
  ) {
    this.line = new Uint8Array(mask.stride + 2 * weights.radius);
  }

  goTo(row: number): void {
    const { mask, survey, weights } = this;
    this.row = row;
    this.at = -1;
    const first = survey.firstBlock * BLOCK;
    const start = row * mask.stride;
    this.line.set(mask.bytes.subarray(start + first, start + survey.endBlock * BLOCK), weights.radius + first);
  }

  /**
   * Sets the pixels of the block in the current row of `into` where the two sums add up to more than one half. Returns
   * true if any is set.
   */
  decide(block: number, columnSums: Float64Array, into: Mask): boolean {
    const first = block * BLOCK;
    if (this.at !== first) this.begin(first);
    const { line } = this;
    const { radius, slope, entering, leaving } = this.weights;
    let { sum, balance } = this;
    const out = this.row * into.stride;
    let isAny = false;
    for (let x = first; x < first + BLOCK; x++) {
      if (sum + columnSums[x]! > 0.5) {
        into.bytes[out + x] = 1;
        isAny = true;
      }
      const leaves = line[x + 1]!;
      const enters = line[x + 2 * radius]!;
      sum += slope * balance - leaving * leaves + entering * enters;
      balance += 2 * line[x + 1 + radius]! - leaves - enters;
    }
    this.sum = sum;
    this.balance = balance;
    this.at = first + BLOCK;
    return isAny;
  }

  private begin(x: number): void {
    const { line } = this;
    const { radius, middle, slope } = this.weights;
    this.sum = 0;
    this.balance = 0;
    for (let d = 1 - radius; d < radius; d++) {
      if (line[x + radius + d] === 0) continue;
      this.sum += middle + slope * Math.abs(d);
      this.balance += d <= 0 ? 1 : -1;
    }
  }
}
