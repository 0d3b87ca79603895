import { traceRuns } from "../coco/trace";
import type { Ring, Rings } from "../entities/shape";
import { EIGHT, type Mask } from "./mask";
import type { PixelBox } from "./pixels";

/** Returns the outline of a mask's pixels in a box, along the pixel edges: polygons with holes in image pixels. */
export function maskOutline(mask: Mask, box: PixelBox): Rings {
  const { left, top, right, bottom } = box;
  // The mask is stored in rows, which are passed as columns, so the outline is mirrored.
  const mirrored = traceRuns(rowRuns(mask, box), bottom - top, right - left);
  return mirrored.map((polygon) => polygon.map((ring) => unmirrored(ring, left, top)));
}

function unmirrored(ring: Ring, left: number, top: number): Ring {
  const out: Ring = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) out.push(ring[i + 1]! + left, ring[i]! + top);
  return out;
}

/** Returns the numbers of pixels outside, inside, outside, … of the mask in the box, row by row. */
function rowRuns({ bytes, eights, stride }: Mask, { left, top, right, bottom }: PixelBox): number[] {
  const runs: number[] = [];
  let inside = 0;
  /** Start of the run, counted in pixels of the box. */
  let begun = 0;
  for (let row = top; row < bottom; row++) {
    const start = row * stride;
    const offset = (row - top) * (right - left) - left;
    for (let x = left; x < right; x++) {
      if ((x & 7) === 0) {
        const same = inside === 0 ? 0 : EIGHT;
        while (x + 8 <= right && eights[(start + x) >> 3] === same) x += 8;
        if (x >= right) break;
      }
      if (bytes[start + x] === inside) continue;
      runs.push(offset + x - begun);
      begun = offset + x;
      inside = 1 - inside;
    }
  }
  runs.push((bottom - top) * (right - left) - begun);
  return runs;
}
