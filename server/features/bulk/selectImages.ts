import { type Kysely, sql } from "kysely";
import type { ImageFilter } from "../../../shared/api/dataset";
import { HttpError } from "../../base/errors";
import type { Schema } from "../../db/schema";
import { passesFilter } from "../images/imageList";
import type { Selection } from "./change";

/** Images as a bulk command names them: `ids`, or a filter with or without `except` and `total`. */
interface Which {
  ids?: number[] | undefined;
  filter?: Omit<ImageFilter, "order"> | undefined;
  except?: number[] | undefined;
  total?: number | undefined;
}

type Range = [from: number, to: number];

/**
 * Returns which images of a dataset a bulk command means. A filter is applied here, once: the images that are counted
 * are the very ones that are changed, also by a task that runs later. Throws 409 if `total` is another number.
 */
export async function selectImages(
  db: Kysely<Schema>,
  datasetId: number,
  { ids = [], filter, except = [], total }: Which,
): Promise<Selection> {
  if (!filter) return { ids };
  const ranges = await fittingRanges(db, datasetId, filter, except);
  const found = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (total !== undefined && total !== found) throw totalChanged(total, found);
  return { ranges };
}

/**
 * Ids that fit the filter, in ascending order, as ranges without gaps: of a million images often a single one. Its
 * categories are strict: nobody means to change images that have none of them.
 */
async function fittingRanges(
  db: Kysely<Schema>,
  datasetId: number,
  filter: Omit<ImageFilter, "order">,
  except: readonly number[],
): Promise<Range[]> {
  const { rows } = await sql<{ from: number; to: number }>`
    select min(id) as "from", max(id) as "to" from (
      select id, id - row_number() over (order by id) as stretch from images
      where ${passesFilter(datasetId, { ...filter, strict_categories: true })} and id <> all(${except}::integer[])
    ) as fitting group by stretch order by 1`.execute(db);
  return rows.map(({ from, to }) => [from, to]);
}

function totalChanged(expected: number, found: number): HttpError {
  const images = (count: number) => `${count} ${count === 1 ? "image" : "images"}`;
  return new HttpError(
    409,
    `The list has changed since it was loaded: ${images(found)} fit now, not ${expected}. Nothing was changed. Try again with the new number.`,
    { code: "total_changed", facts: { total: found } },
  );
}
