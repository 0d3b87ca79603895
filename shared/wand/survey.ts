import { BLOCK, EIGHT, type Mask } from "./mask";
import type { PixelBox } from "./pixels";

/** What a block of a row holds: no pixel of the mask, all its pixels, or some. */
export const NONE = 0;
export const ALL = 1;
export const SOME = 2;

/** What each block of each row in a box of a mask holds, so that what is uniform can be passed over. */
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
    // The last row stands for those outside the box.
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

  /** Where a row begins, so that `at(start, block)` tells of its blocks. Rows outside the box hold nothing. */
  start(row: number): number {
    const { top, bottom } = this;
    const from = row < top || row >= bottom ? bottom : row;
    return (from - top) * (this.endBlock - this.firstBlock) - this.firstBlock;
  }

  at(start: number, block: number): number {
    return this.holds[start + block]!;
  }
}
