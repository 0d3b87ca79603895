import { BLOCK, EIGHT, type Mask } from "./mask";
import type { PixelBox } from "./pixels";

/** Content of a block of a row: none of its pixels are in the mask, all of them, or some. */
export const NONE = 0;
export const ALL = 1;
export const SOME = 2;

/** Content of each block of each row in a box of a mask, so that uniform blocks can be skipped. */
export class Survey {
  readonly firstBlock: number;
  readonly endBlock: number;
  private readonly top: number;
  private readonly bottom: number;
  private readonly holds: Uint8Array;

  constructor(mask: Mask, { left, top, right, bottom }: PixelBox) {
    this.firstBlock = Math.floor(left / BLOCK);
    this.endBlock = Math.ceil(right / BLOCK);
    this.top = top;
    this.bottom = bottom;
    const blocks = this.endBlock - this.firstBlock;
    // The last row represents all rows outside the box.
    this.holds = new Uint8Array(blocks * (bottom - top + 1));
    const { eights, stride } = mask;
    for (let row = top, at = 0; row < bottom; row++) {
      let i = (row * stride + this.firstBlock * BLOCK) >> 3;
      for (let block = 0; block < blocks; block++, i += BLOCK / 8) {
        const eight = eights[i]!;
        const isEven = eight === eights[i + 1] && eight === eights[i + 2] && eight === eights[i + 3];
        this.holds[at++] = isEven && eight === 0 ? NONE : isEven && eight === EIGHT ? ALL : SOME;
      }
    }
  }

  /** Returns the start of a row, for `at(start, block)`. Rows outside the box are empty. */
  start(row: number): number {
    const { top, bottom } = this;
    const from = row < top || row >= bottom ? bottom : row;
    return (from - top) * (this.endBlock - this.firstBlock) - this.firstBlock;
  }

  at(start: number, block: number): number {
    return this.holds[start + block]!;
  }
}
