import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import { scaleBetween } from "../../../shared/geometry/scale";
import type { ImageRow, Schema } from "../../db/schema";
import { makeBudget, withMeasuring } from "../measuring/measuring";
import { COPY_LIMITS, rowsToCopy, tooMuch } from "./copySource";
import { scaledRow } from "./scaledRow";

/** JSON of a list of ScaledRow, ready to be stored. */
export type ScaledPage = string;

/**
 * Maximum factor by which scaling may lengthen the JSON: a mask's outline is longer than its RLE, and scaled numbers
 * gain decimals.
 */
const MAX_GROWTH = 4;

/**
 * Returns the annotations of `from`, scaled to the size of `to` and measured, page by page. May take seconds, so call
 * it outside a transaction; it yields to other requests after each annotation. Throws 400 if a shape cannot be stored
 * or the limits are exceeded.
 */
export async function scaledPages(
  db: Kysely<Schema>,
  pages: readonly (readonly number[])[],
  from: ImageRow,
  to: ImageRow,
  requester: string,
): Promise<ScaledPage[]> {
  const scale = scaleBetween(from, to);
  const scaled: ScaledPage[] = [];
  const budget = makeBudget();
  let length = 0;
  for (const ids of pages) {
    const copies: string[] = [];
    for (const row of await rowsToCopy(db, ids)) {
      const copy = JSON.stringify(await withMeasuring(requester, () => scaledRow(row, to, scale), { budget }));
      length += copy.length;
      if (length > MAX_GROWTH * COPY_LIMITS.length) throw tooMuch("too many coordinates");
      copies.push(copy);
      await nextTurn();
    }
    scaled.push(`[${copies.join(",")}]`);
  }
  return scaled;
}
