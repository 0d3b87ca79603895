import type { Pixels } from "../wand/pixels";

/** Returns the image at half the size, rounded up: each pixel is the mean of four. */
export function halved({ width, height, colors }: Pixels): Pixels {
  const half = { width: (width + 1) >> 1, height: (height + 1) >> 1 };
  const means = new Uint32Array(half.width * half.height);
  for (let y = 0; y < half.height; y++) {
    const above = 2 * y * width;
    const below = Math.min(2 * y + 1, height - 1) * width;
    for (let x = 0; x < half.width; x++) {
      const left = 2 * x;
      const right = Math.min(left + 1, width - 1);
      means[y * half.width + x] = meanOf(
        colors[above + left]!,
        colors[above + right]!,
        colors[below + left]!,
        colors[below + right]!,
      );
    }
  }
  return { ...half, colors: means };
}

/** Returns the mean of four colours. Adds two channels at a time: each has 16 bits for its sum. */
function meanOf(a: number, b: number, c: number, d: number): number {
  const redBlue = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff);
  const green = (a & 0xff00) + (b & 0xff00) + (c & 0xff00) + (d & 0xff00);
  return ((redBlue >> 2) & 0xff00ff) | ((green >> 2) & 0xff00);
}
