import type { PixelBox, Pixels } from "./pixels";

/** Stretches of a row whose neighbours above or below are still to be looked at: row, first column, end, direction. */
class Waiting {
  private list = new Int32Array(4096);
  private length = 0;
  row = 0;
  from = 0;
  to = 0;
  direction = 0;

  push(row: number, from: number, to: number, direction: number): void {
    if (this.length === this.list.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.list);
      this.list = longer;
    }
    this.list[this.length++] = row;
    this.list[this.length++] = from;
    this.list[this.length++] = to;
    this.list[this.length++] = direction;
  }

  pop(): boolean {
    if (this.length === 0) return false;
    this.direction = this.list[--this.length]!;
    this.to = this.list[--this.length]!;
    this.from = this.list[--this.length]!;
    this.row = this.list[--this.length]!;
    return true;
  }
}

/**
 * Sets to 1 in `mask` (a byte for each pixel, row by row, zeros where the fill may go) the pixels that are joined by
 * their sides to pixel (x, y), and of which each channel differs from that pixel's by at most `threshold`. Alpha does
 * not count. Answers the box around them. Method: scanline fill with a stack (Heckbert 1990, "A Seed Fill Algorithm").
 */
export function floodFill(
  { width, height, colors }: Pixels,
  x: number,
  y: number,
  threshold: number,
  mask: Uint8Array,
): PixelBox {
  const start = colors[y * width + x]!;
  const [low0, low1, low2] = [0, 8, 16].map((shift) => Math.max(((start >>> shift) & 255) - threshold, 0));
  const [high0, high1, high2] = [0, 8, 16].map((shift) => Math.min(((start >>> shift) & 255) + threshold, 255));
  // Channels 0 and 2 are compared in one step: a sum beyond 255 shows in the bit above the channel.
  const over = (255 - high0!) | ((255 - high2!) << 16);
  const under = low0! | (low2! << 16);
  const span = high1! - low1!;
  const isFree = (at: number): boolean => {
    if (mask[at] !== 0) return false;
    const color = colors[at]!;
    const pair = color & 0x00ff00ff;
    if (((pair + over) & 0x01000100) !== 0) return false;
    if ((((pair | 0x01000100) - under) & 0x01000100) !== 0x01000100) return false;
    return (((color >>> 8) & 255) - low1!) >>> 0 <= span;
  };

  const box = { left: x, top: y, right: x + 1, bottom: y + 1 };
  const waiting = new Waiting();
  /** Fills the stretch around a free pixel and answers its end. */
  const fill = (row: number, column: number, isLeftKnown: boolean): { from: number; to: number } => {
    const first = row * width;
    let from = column;
    if (!isLeftKnown) while (from > 0 && isFree(first + from - 1)) from--;
    let to = column + 1;
    while (to < width && isFree(first + to)) to++;
    mask.fill(1, first + from, first + to);
    if (from < box.left) box.left = from;
    if (to > box.right) box.right = to;
    if (row < box.top) box.top = row;
    if (row >= box.bottom) box.bottom = row + 1;
    return { from, to };
  };
  const first = fill(y, x, false);
  waiting.push(y, first.from, first.to, 1);
  waiting.push(y, first.from, first.to, -1);
  while (waiting.pop()) {
    const { row: parent, from, to, direction } = waiting;
    const row = parent + direction;
    if (row < 0 || row >= height) continue;
    for (let column = from; column < to; column++) {
      if (!isFree(row * width + column)) continue;
      const stretch = fill(row, column, column > from);
      waiting.push(row, stretch.from, stretch.to, direction);
      if (stretch.from < from) waiting.push(row, stretch.from, from, -direction);
      if (stretch.to > to) waiting.push(row, to, stretch.to, -direction);
      column = stretch.to;
    }
  }
  return box;
}
