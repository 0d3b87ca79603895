import type { PixelBox } from "./pixels";

/** Number of columns that are processed together. */
export const BLOCK = 32;

/**
 * A mask of pixels inside (1) or outside (0), one byte each, row by row. Rows are padded to whole blocks and followed
 * by an extra row of zeros, which represents all rows outside the image.
 */
export class Mask {
  readonly stride: number;
  readonly bytes: Uint8Array;
  /** The same memory, eight pixels at a time: 0 if all are outside, `EIGHT` if all are inside, else another number. */
  readonly eights: Float64Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.stride = Math.ceil(width / BLOCK) * BLOCK;
    this.bytes = new Uint8Array(this.stride * (height + 1));
    this.eights = new Float64Array(this.bytes.buffer);
  }

  has(column: number, row: number): boolean {
    return this.bytes[row * this.stride + column] === 1;
  }

  clear({ left, top, right, bottom }: PixelBox): void {
    for (let row = top; row < bottom; row++) this.bytes.fill(0, row * this.stride + left, row * this.stride + right);
  }

  fillBlock(row: number, block: number): void {
    const first = (row * this.stride + block * BLOCK) >> 3;
    for (let i = first; i < first + BLOCK / 8; i++) this.eights[i] = EIGHT;
  }
}

/** Eight bytes of 1 read as one number. */
export const EIGHT = new Float64Array(new Uint8Array(8).fill(1).buffer)[0]!;
