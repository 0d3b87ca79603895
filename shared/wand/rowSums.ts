import type { BorderWeights } from "./borderWeights";
import { BLOCK, type Mask } from "./mask";
import type { Survey } from "./survey";

/** The weighted sum of the pixels left and right of a place in one row, which goes rightward. */
export class RowSums {
  /** The row, with zeros before and after it. */
  private readonly line: Uint8Array;
  private row = 0;
  /** The column that `sum` and `balance` are for; -1 where they are for none. */
  private at = -1;
  private sum = 0;
  /** Pixels in the mask at or left of the place, less those to its right, within reach. */
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
   * Sets the block's pixels of the row in `into` where both sums are together more than one half. Returns true if any
   * is.
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
