import { type Kysely, sql } from "kysely";
import type { ImageFilter } from "../../../shared/api/datasets/datasetImages";
import { HttpError } from "../../base/errors";
import type { Schema } from "../../db/schema";
import { passesFilter } from "../images/imageList";
import type { Selection } from "./change";

/** Images as a bulk command selects them: by `ids`, or by a filter with optional `except` and `total`. */
interface Selector {
  ids?: number[] | undefined;
  filter?: Omit<ImageFilter, "order"> | undefined;
  except?: number[] | undefined;
  total?: number | undefined;
}

type Range = [from: number, to: number];

/**
 * Resolves the images of a dataset that a bulk command selects. A filter is applied once, here, so that exactly the
 * counted images are changed, even by a task that runs later. Throws 409 if their number is not `total`.
 */
export async function selectImages(
  db: Kysely<Schema>,
  datasetId: number,
  { ids = [], filter, except = [], total }: Selector,
): Promise<Selection> {
  if (!filter) return { ids };
  const ranges = await matchingRanges(db, datasetId, filter, except);
  const found = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (total !== undefined && total !== found) throw totalChanged(total, found);
  return { ranges };
}

/**
 * Returns the ids that pass the filter as contiguous ranges in ascending order: a million images are often a single
 * range. Category filters are strict: images without any of the categories do not pass.
 */
async function matchingRanges(
  db: Kysely<Schema>,
  datasetId: number,
  filter: Omit<ImageFilter, "order">,
  except: readonly number[],
): Promise<Range[]> {
  const { rows } = await sql<{ from: number; to: number }>`
    select min(id) as "from", max(id) as "to" from (
      select id, id - row_number() over (order by id) as stretch from images
      where ${passesFilter(datasetId, { ...filter, strict_categories: true })} and id <> all(${except}::integer[])
    ) as matching group by stretch order by 1`.execute(db);
  return rows.map(({ from, to }) => [from, to]);
}

function totalChanged(expected: number, found: number): HttpError {
  const images = (count: number) => `${count} ${count === 1 ? "image" : "images"}`;
  return new HttpError(
    409,
    `The list has changed since it was loaded: ${images(found)} match now, not ${expected}. Nothing was changed. Try again with the new number.`,
    { code: "total_changed", facts: { total: found } },
  );
}
