import { setImmediate as othersFirst } from "node:timers/promises";
import type { Kysely } from "kysely";
import { scaleBetween } from "../../../shared/geometry/scale";
import type { ImageRow, Schema } from "../../db/schema";
import { makeBudget, withMeasuring } from "../measuring/measuring";
import { COPY_LIMITS, rowsToCopy, tooMuch } from "./copySource";
import { scaledRow } from "./scaledRow";

/** Rows that are ready to be stored: the JSON of a list of ScaledRow. */
export type ScaledPage = string;

/** A mask's outline is longer than the mask, and a scaled number longer than a whole one. */
const LONGER = 4;

/**
 * Annotations of `from` scaled to the size of `to` and measured, page by page. Takes seconds for many: call it outside
 * of a transaction; others get their turn after each annotation. Throws 400 on what cannot be stored or is too much.
 */
export async function scaledPages(
  db: Kysely<Schema>,
  pages: readonly (readonly number[])[],
  from: ImageRow,
  to: ImageRow,
  taker: string,
): Promise<ScaledPage[]> {
  const scale = scaleBetween(from, to);
  const scaled: ScaledPage[] = [];
  const budget = makeBudget();
  let length = 0;
  for (const ids of pages) {
    const copies: string[] = [];
    for (const row of await rowsToCopy(db, ids)) {
      const copy = JSON.stringify(await withMeasuring(taker, () => scaledRow(row, to, scale), { budget }));
      length += copy.length;
      if (length > LONGER * COPY_LIMITS.length) throw tooMuch("too many coordinates");
      copies.push(copy);
      await othersFirst();
    }
    scaled.push(`[${copies.join(",")}]`);
  }
  return scaled;
}
