import { borderWeights } from "./borderWeights";
import { ColumnSums } from "./columnSums";
import { BLOCK, type Mask } from "./mask";
import type { PixelBox } from "./pixels";
import { RowSums } from "./rowSums";
import { ALL, NONE, Survey } from "./survey";

/**
 * Adds a region with a smoothed border to another mask of the same size: a pixel is inside if the weighted share of the
 * region in the row around it plus that in the column around it (see borderWeights) is more than one half. Straight
 * borders stay where they are, corners are rounded, narrow cracks are closed, slanting hairs are removed, and nothing
 * grows out of the box around the region. `radius` is a whole number of pixels; 1 means no smoothing. Only blocks of
 * columns with a change within reach are computed; elsewhere the region stays as it is. Returns true if any pixel of
 * the region remains.
 */
export function smoothBorder(region: Mask, box: PixelBox, radius: number, into: Mask): boolean {
  const weights = borderWeights(radius);
  const survey = new Survey(region, box);
  const columns = new ColumnSums(region, box, survey, weights);
  const rows = new RowSums(region, survey, weights);
  let isAnyLeft = false;
  for (let row = box.top - radius + 1; row < box.bottom; row++) {
    columns.goTo(row);
    if (row < box.top) continue;
    rows.goTo(row);
    const start = survey.start(row);
    let to = survey.firstBlock;
    while (to < survey.endBlock) {
      const from = to;
      const holds = survey.at(start, from);
      do to++;
      while (to < survey.endBlock && survey.at(start, to) === holds);
      // A gap in the row may be closed even without a change in the columns.
      const isGap = holds === NONE && (to - from) * BLOCK < 2 * radius;
      for (let block = from; block < to; block++) {
        if (isGap || columns.changes(block)) isAnyLeft = rows.decide(block, columns.sums, into) || isAnyLeft;
        else if (holds === ALL) {
          into.fillBlock(row, block);
          isAnyLeft = true;
        }
      }
    }
  }
  return isAnyLeft;
}
