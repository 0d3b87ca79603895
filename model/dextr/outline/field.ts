import type { Prediction } from "../base/prediction";
import type { Field } from "./contour";

/**
 * Returns the probability in the reach, in image pixels: at the centres of the network's cells and on the border of the
 * reach, where it drops to 0 at once. So the field's contour follows the borders of image and padding exactly.
 */
export function fieldOf({ crop, size, probability, reach }: Prediction): Field {
  const across = linesOf(crop.left, crop.right, size, reach.left, reach.right);
  const down = linesOf(crop.top, crop.bottom, size, reach.top, reach.bottom);
  const [width, height] = [across.at.length, down.at.length];
  const values = new Float32Array(width * height);
  for (let row = 1; row < height - 1; row++) {
    const upper = down.cell[row]! * size;
    const lower = Math.min(upper + size, size * (size - 1));
    const below = down.share[row]!;
    for (let column = 1; column < width - 1; column++) {
      const left = across.cell[column]!;
      const right = Math.min(left + 1, size - 1);
      const after = across.share[column]!;
      const above = (1 - after) * probability[upper + left]! + after * probability[upper + right]!;
      const under = (1 - after) * probability[lower + left]! + after * probability[lower + right]!;
      values[row * width + column] = (1 - below) * above + below * under;
    }
  }
  return { xs: across.at, ys: down.at, values };
}

/**
 * Lines across one axis. For each line: its position in the image, the last cell whose centre is not beyond it, and the
 * distance from that centre in cells.
 */
interface Lines {
  at: Float64Array;
  cell: Int32Array;
  share: Float64Array;
}

function linesOf(from: number, to: number, size: number, start: number, end: number): Lines {
  const cell = (to - from) / size;
  const at = [start, start];
  for (let n = 0; n < size; n++) {
    const middle = from + (n + 0.5) * cell;
    if (middle > start && middle < end) at.push(middle);
  }
  at.push(end, end);
  const places = at.map((x) => Math.min(Math.max((x - from) / cell - 0.5, 0), size - 1));
  const cells = Int32Array.from(places, (place) => Math.floor(place + NEARLY));
  return {
    at: Float64Array.from(at),
    cell: cells,
    share: Float64Array.from(places, (place, n) => Math.max(0, place - cells[n]!)),
  };
}

/** Tolerance that keeps the computed centre of a cell in that cell despite rounding. */
const NEARLY = 1e-9;
