import type { Box, Part } from "../base/imageSource";
import { GREY } from "../base/recipe";
import { type Axis, axisOf, halfWidth } from "./axis";

/**
 * Scales a crop of an image to size × size: three planes (red, green, blue) of v / 127.5 - 1, written to `planes`. The
 * area outside the image is grey, and so is the background of transparent pixels.
 *
 * `part` has at least the pixels returned by `neededOf` (null if there are none). Method: a separable triangle filter,
 * see axis.ts.
 */
export function resample(part: Part | null, crop: Box, size: number, planes: Float32Array): void {
  planes.fill(GREY / 127.5 - 1, 0, 3 * size * size);
  if (!part) return;
  const columns = axisOf(crop.left, crop.right, size, part.left, part.width);
  const rows = axisOf(crop.top, crop.bottom, size, part.top, part.height);
  const pixels = pixelsOf(part.data);
  const line = new Float32Array(3 * columns.count);
  const narrow = new Float32Array(3 * size);
  // Target rows are weighted sums of neighbouring lines. Rows from `begun` on are still incomplete.
  for (let y = 0, begun = 0; y < rows.count; y++) {
    line.fill(0);
    for (let n = 0; n < rows.bin; n++)
      addPixels(line, pixels, part.width * (rows.start + y * rows.step + n) + columns.start, columns);
    narrowTo(narrow, line, columns, size);
    while (begun < size && rows.end[begun]! <= y) begun++;
    for (let row = begun; row < size && rows.first[row]! <= y; row++)
      addLine(planes, narrow, row, size, rows.weights[rows.at[row]! + y - rows.first[row]!]! / 127.5);
  }
}

/** Returns the box of pixels inside the image that are needed to scale a crop to `size`; null if there are none. */
export function neededOf(crop: Box, size: number, width: number, height: number): Box | null {
  const across = halfWidth(crop.left, crop.right, size);
  const down = halfWidth(crop.top, crop.bottom, size);
  const box = {
    left: Math.max(0, Math.floor(crop.left - across)),
    top: Math.max(0, Math.floor(crop.top - down)),
    right: Math.min(width, Math.ceil(crop.right + across)),
    bottom: Math.min(height, Math.ceil(crop.bottom + down)),
  };
  return box.left < box.right && box.top < box.bottom ? box : null;
}

/**
 * Scales a line of samples (red, green, blue of each) to width `size`: writes all red values, then green, then blue.
 */
function narrowTo(narrow: Float32Array, line: Float32Array, columns: Axis, size: number): void {
  for (let x = 0; x < size; x++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let k = columns.first[x]!, w = columns.at[x]!; k < columns.end[x]!; k++, w++) {
      const weight = columns.weights[w]!;
      red += weight * line[3 * k]!;
      green += weight * line[3 * k + 1]!;
      blue += weight * line[3 * k + 2]!;
    }
    narrow[x] = red;
    narrow[size + x] = green;
    narrow[2 * size + x] = blue;
  }
}

/**
 * Adds the differences from grey of a row's pixels, weighted by alpha, to each sample. `at`: index of the first pixel.
 */
function addPixels(line: Float32Array, pixels: Uint32Array, at: number, { step, bin }: Axis): void {
  // Two channels are summed in one number: they are 16 bits apart, and a sum of two bytes needs only 9.
  for (let x = 0, start = at; x < line.length; x += 3, start += step) {
    const one = pixels[start]!;
    const other = bin === 2 ? pixels[start + 1]! : 0;
    const redBlue = (one & 0xff00ff) + (other & 0xff00ff);
    const greenAlpha = ((one >>> 8) & 0xff00ff) + ((other >>> 8) & 0xff00ff);
    if (greenAlpha >>> 16 === 255 * bin) {
      line[x]! += (redBlue & 0xffff) - GREY * bin;
      line[x + 1]! += (greenAlpha & 0xffff) - GREY * bin;
      line[x + 2]! += (redBlue >>> 16) - GREY * bin;
    } else for (let i = start; i < start + bin; i++) addTransparent(line, x, pixels[i]!);
  }
}

function addTransparent(line: Float32Array, x: number, pixel: number): void {
  const alpha = (pixel >>> 24) / 255;
  line[x]! += ((pixel & 0xff) - GREY) * alpha;
  line[x + 1]! += (((pixel >>> 8) & 0xff) - GREY) * alpha;
  line[x + 2]! += (((pixel >>> 16) & 0xff) - GREY) * alpha;
}

/** Returns the pixels as 32-bit numbers with red lowest. All supported processors are little-endian. */
function pixelsOf(data: Part["data"]): Uint32Array {
  const bytes = data.byteOffset % 4 === 0 ? data : data.slice();
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** Adds a line, weighted, to one row of all three planes. */
function addLine(planes: Float32Array, narrow: Float32Array, row: number, size: number, weight: number): void {
  for (let c = 0; c < 3; c++)
    for (let x = 0, i = (c * size + row) * size, k = c * size; x < size; x++, i++, k++)
      planes[i]! += weight * narrow[k]!;
}
