import type { Mask } from "./mask";
import type { PixelBox, Pixels } from "./pixels";

/**
 * Stack of spans of a row whose neighbours above or below are still to be visited: row, first column, end, direction.
 */
class PendingSpans {
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

/** Length below which filling a span byte by byte is faster than a call of `fill`. */
const SHORT = 32;

/**
 * Adds to `mask` (empty where the fill may go) the pixels connected to pixel (x, y) by their sides whose channels each
 * differ from that pixel's by at most `threshold`. Alpha is ignored. Returns the box around them. Method: scanline fill
 * with a stack (Heckbert 1990, "A Seed Fill Algorithm").
 */
export function floodFill(
  { width, height, colors }: Pixels,
  x: number,
  y: number,
  threshold: number,
  mask: Mask,
): PixelBox {
  const { bytes, stride } = mask;
  const start = colors[y * width + x]!;
  const low = (shift: number) => Math.max(((start >>> shift) & 255) - threshold, 0);
  const high = (shift: number) => Math.min(((start >>> shift) & 255) + threshold, 255);
  // Channels 0 and 2 are compared in one step: a sum above 255 sets the bit above the channel.
  const over = (255 - high(0)) | ((255 - high(16)) << 16);
  const under = low(0) | (low(16) << 16);
  const [lowGreen, greens] = [low(8), high(8) - low(8)];
  const isAlike = (color: number): boolean => {
    const pair = color & 0x00ff00ff;
    if (((pair + over) & 0x01000100) !== 0) return false;
    if ((((pair | 0x01000100) - under) & 0x01000100) !== 0x01000100) return false;
    return (((color >>> 8) & 255) - lowGreen) >>> 0 <= greens;
  };

  let [left, top, right, bottom] = [x, y, x, y];
  const pending = new PendingSpans();
  pending.push(y, x, x + 1, 0);
  while (pending.pop()) {
    const { row: parent, from, to, direction } = pending;
    const row = parent + direction;
    if (row < 0 || row >= height) continue;
    const color = row * width;
    const byte = row * stride;
    for (let column = from; column < to; column++) {
      if (bytes[byte + column] !== 0 || !isAlike(colors[color + column]!)) continue;
      let begin = column;
      // Inside the parent's span, the pixel to the left is already known not to belong.
      if (column === from)
        while (begin > 0 && bytes[byte + begin - 1] === 0 && isAlike(colors[color + begin - 1]!)) begin--;
      let end = column + 1;
      while (end < width && bytes[byte + end] === 0 && isAlike(colors[color + end]!)) end++;
      if (end - begin < SHORT) for (let i = begin; i < end; i++) bytes[byte + i] = 1;
      else bytes.fill(1, byte + begin, byte + end);
      if (begin < left) left = begin;
      if (end > right) right = end;
      if (row < top) top = row;
      if (row > bottom) bottom = row;
      if (direction === 0) {
        pending.push(row, begin, end, 1);
        pending.push(row, begin, end, -1);
      } else {
        pending.push(row, begin, end, direction);
        if (begin < from) pending.push(row, begin, from, -direction);
        if (end > to) pending.push(row, to, end, -direction);
      }
      column = end;
    }
  }
  return { left, top, right, bottom: bottom + 1 };
}
