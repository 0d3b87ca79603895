import { type Axis, axisOf, halfWidth } from "./axis";
import type { Box, Part } from "./picture";
import { GREY } from "./recipe";

/**
 * A crop of a picture brought to size × size: three planes (red, green, blue) of v / 127.5 - 1, written to `planes`. What
 * lies outside the picture is grey, and so is what shows through transparent pixels.
 *
 * `part` holds the pixels that `neededOf` names (null: none). Method: a separable triangle filter, as axis.ts has it.
 */
export function resample(part: Part | null, crop: Box, size: number, planes: Float32Array): void {
  planes.fill(GREY / 127.5 - 1, 0, 3 * size * size);
  if (!part) return;
  const columns = axisOf(crop.left, crop.right, size, part.left, part.width);
  const rows = axisOf(crop.top, crop.bottom, size, part.top, part.height);
  const narrow = narrowed(part, columns, rows, size);
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < size; y++) {
      const target = planes.subarray((c * size + y) * size, (c * size + y + 1) * size);
      for (let k = rows.first[y]!, w = rows.at[y]!; k < rows.end[y]!; k++, w++)
        addLine(target, narrow, (c * rows.count + k) * size, rows.weights[w]! / 127.5);
    }
  }
}

/** The whole pixels inside the picture that a crop brought to a size is made of; null where there are none. */
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

/** The rows that are looked at, made `size` wide: three planes of differences from grey, -127..128. */
function narrowed({ data, width }: Part, columns: Axis, rows: Axis, size: number): Float32Array {
  const planes = new Float32Array(3 * size * rows.count);
  const line = new Float32Array(3 * columns.count);
  for (let y = 0; y < rows.count; y++) {
    readLine(line, data, 4 * (width * (rows.start + y * rows.step) + columns.start), 4 * columns.step);
    for (let x = 0; x < size; x++) {
      let [red, green, blue] = [0, 0, 0];
      for (let k = columns.first[x]!, w = columns.at[x]!; k < columns.end[x]!; k++, w++) {
        const weight = columns.weights[w]!;
        red += weight * line[3 * k]!;
        green += weight * line[3 * k + 1]!;
        blue += weight * line[3 * k + 2]!;
      }
      planes[y * size + x] = red;
      planes[(rows.count + y) * size + x] = green;
      planes[(2 * rows.count + y) * size + x] = blue;
    }
  }
  return planes;
}

/** The differences from grey of pixels `step` bytes from each other, as they show. */
function readLine(line: Float32Array, data: Part["data"], at: number, step: number): void {
  for (let x = 0, i = at; x < line.length; x += 3, i += step) {
    const alpha = data[i + 3]! / 255;
    line[x] = (data[i]! - GREY) * alpha;
    line[x + 1] = (data[i + 1]! - GREY) * alpha;
    line[x + 2] = (data[i + 2]! - GREY) * alpha;
  }
}

function addLine(target: Float32Array, source: Float32Array, at: number, weight: number): void {
  for (let x = 0; x < target.length; x++) target[x]! += weight * source[at + x]!;
}
