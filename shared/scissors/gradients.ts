import type { Pixels } from "../wand/pixels";

/** Number of pixels on each side of a corner that count. */
const REACH = 2;
/**
 * Gradients at the pixel corners of a block, each of the colour channel that changes most there: to the right
 * (`across`) and downward (`down`).
 */
export interface Gradients {
  /** Corners in a row of the block. */
  side: number;
  /** In units of the channel difference across an ideal border: -255 to 255 along each axis. */
  across: Float32Array;
  down: Float32Array;
  /** Square of the gradient's length. */
  squares: Float32Array;
  /** Memory for the computation: one channel of the pixels, and its sums and differences along columns. */
  scratch: { patch: Float32Array; smoothed: Float32Array; changed: Float32Array };
}

export function newGradients(side: number): Gradients {
  const count = side * side;
  const width = side + 2 * REACH - 1;
  return {
    side,
    across: new Float32Array(count),
    down: new Float32Array(count),
    squares: new Float32Array(count),
    scratch: {
      patch: new Float32Array(width * width),
      smoothed: new Float32Array(side * width),
      changed: new Float32Array(side * width),
    },
  };
}

/** Scales sums of [1 3 3 1] and [-1 -1 1 1] to the difference across a border. */
const SCALE = 1 / 16;

/**
 * Computes the gradients at the corners of a block whose first corner is (left, top), from the 4 × 4 pixels around
 * each: the 2 × 2 differences of an image smoothed by [1 2 1]. Only the colour channel that changes most counts, as in
 * Mortensen & Barrett 1995. Corners have whole coordinates and pixels lie between them, so no border is shifted by half
 * a pixel. Beyond the image, the pixels at its border are repeated.
 */
export function computeGradients(pixels: Pixels, left: number, top: number, out: Gradients): void {
  const { side, across, down, squares } = out;
  const width = side + 2 * REACH - 1;
  const { patch, smoothed, changed } = out.scratch;
  squares.fill(-1);
  for (let shift = 0; shift < 24; shift += 8) {
    readChannel(pixels, left - REACH, top - REACH, shift, patch, width);
    for (let i = 0; i < side * width; i++) {
      const a = patch[i]!;
      const b = patch[i + width]!;
      const c = patch[i + 2 * width]!;
      const d = patch[i + 3 * width]!;
      smoothed[i] = a + d + 3 * (b + c);
      changed[i] = c + d - a - b;
    }
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        const i = y * width + x;
        const gx = (smoothed[i + 2]! + smoothed[i + 3]! - smoothed[i]! - smoothed[i + 1]!) * SCALE;
        const gy = (changed[i]! + changed[i + 3]! + 3 * (changed[i + 1]! + changed[i + 2]!)) * SCALE;
        const square = gx * gx + gy * gy;
        const at = y * side + x;
        if (square <= squares[at]!) continue;
        squares[at] = square;
        across[at] = gx;
        down[at] = gy;
      }
  }
}

function readChannel(
  { width, height, colors }: Pixels,
  left: number,
  top: number,
  shift: number,
  out: Float32Array,
  side: number,
): void {
  const isInside = left >= 0 && left + side <= width;
  for (let y = 0; y < side; y++) {
    const row = Math.min(Math.max(top + y, 0), height - 1) * width;
    if (isInside) for (let x = 0; x < side; x++) out[y * side + x] = (colors[row + left + x]! >> shift) & 255;
    else
      for (let x = 0; x < side; x++)
        out[y * side + x] = (colors[row + Math.min(Math.max(left + x, 0), width - 1)]! >> shift) & 255;
  }
}
