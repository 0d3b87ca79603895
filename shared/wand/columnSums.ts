import type { BorderWeights } from "./borderWeights";
import { BLOCK, type Mask } from "./mask";
import type { PixelBox } from "./pixels";
import { SOME, type Survey } from "./survey";

/** Weighted sums of the pixels above and below a row, for each column of a box. The row moves downward. */
export class ColumnSums {
  readonly sums: Float64Array;
  /** For each column: number of mask pixels within reach at or above the row, minus those below it. */
  private readonly balance: Int32Array;
  /** For each block: the last row seen so far that may differ from the previous one. */
  private readonly lastChange: Int32Array;
  private row = 0;

  /** Starts at row `box.top - radius`, where no pixel is within reach. */
  constructor(
    private readonly mask: Mask,
    private readonly box: PixelBox,
    private readonly survey: Survey,
    private readonly weights: BorderWeights,
  ) {
    this.sums = new Float64Array(mask.stride);
    this.balance = new Int32Array(mask.stride);
    this.lastChange = new Int32Array(survey.endBlock).fill(box.top - 2 * weights.radius);
  }

  /** Returns true if some column of the block may have more than one value within reach of the row. */
  changes(block: number): boolean {
    return this.lastChange[block]! > this.row - this.weights.radius;
  }

  /** Moves to `row`, which must be the one after the current row. */
  goTo(row: number): void {
    const { survey, weights } = this;
    this.row = row;
    const entering = row + weights.radius - 1;
    this.noteChanges(entering);
    const [leave, next, enter] = [this.start(row - weights.radius), this.start(row), this.start(entering)];
    for (let block = survey.firstBlock; block < survey.endBlock; block++) {
      if (this.changes(block)) this.move(block * BLOCK, leave, next, enter);
    }
  }

  private noteChanges(row: number): void {
    const { survey } = this;
    const [above, here] = [survey.start(row - 1), survey.start(row)];
    for (let block = survey.firstBlock; block < survey.endBlock; block++) {
      const holds = survey.at(here, block);
      if (holds === SOME || holds !== survey.at(above, block)) this.lastChange[block] = row;
    }
  }

  private move(first: number, leave: number, next: number, enter: number): void {
    const { sums, balance, weights } = this;
    const { slope, entering, leaving } = weights;
    const { bytes } = this.mask;
    for (let x = first; x < first + BLOCK; x++) {
      const leaves = bytes[leave + x]!;
      const enters = bytes[enter + x]!;
      const sum = balance[x]!;
      sums[x]! += slope * sum - leaving * leaves + entering * enters;
      balance[x] = sum - leaves - enters + 2 * bytes[next + x]!;
    }
  }

  /** Returns the start of a row in the mask: for rows outside the box, that of the mask's row of zeros. */
  private start(row: number): number {
    const { top, bottom } = this.box;
    return (row < top || row >= bottom ? this.mask.height : row) * this.mask.stride;
  }
}
