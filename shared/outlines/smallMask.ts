import { runsOf } from "../coco/rle";
import type { Runs } from "../coco/runs";
import { traceRuns } from "../coco/trace";
import type { Rings, Rle } from "../entities/shape";

/** Number of corners above which the outline of a small mask is not used. */
const MAX_CORNERS = 4_000;

/**
 * Returns the polygons of a mask scaled down to at most a few hundred pixels, in scaled pixels; samples one pixel of
 * the mask for each scaled pixel. Throws an RleError or RangeError for a mask that does not fit its size or has too
 * many corners.
 */
export function smallMaskRings(rle: Rle, scale: number): Rings {
  const [height, width] = rle.size;
  const small = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const runs = smallRuns(runsOf(rle), height, small, scale);
  return traceRuns(runs, small.width, small.height, MAX_CORNERS);
}

interface Size {
  width: number;
  height: number;
}

/** Returns the runs of the smaller mask, sampled from the columns of the mask nearest to the middles of its columns. */
function smallRuns(runs: Runs, height: number, small: Size, scale: number): Runs {
  const out = new RunWriter();
  let index = 0;
  let start = 0;
  for (let x = 0; x < small.width; x++) {
    const top = Math.floor((x + 0.5) / scale) * height;
    while (index < runs.length && start + runs[index]! <= top) start += runs[index++]!;
    let row = 0;
    let at = index;
    for (let begin = start; at < runs.length && begin < top + height; begin += runs[at++]!) {
      const end = Math.min(small.height, Math.round((begin + runs[at]! - top) * scale));
      if (end <= row) continue;
      out.add(at % 2 === 1, end - row);
      row = end;
    }
    out.add(false, small.height - row);
  }
  return out.runs;
}

/** Joins consecutive runs of the same kind. */
class RunWriter {
  readonly runs: Runs = [0];

  add(isInside: boolean, length: number): void {
    if (length === 0) return;
    if ((this.runs.length % 2 === 0) === isInside) this.runs[this.runs.length - 1]! += length;
    else this.runs.push(length);
  }
}
