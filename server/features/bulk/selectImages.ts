import { hash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { ImageFilter } from "../../../shared/api/datasets/datasetImages";
import { HttpError } from "../../base/errors";
import type { Schema } from "../../db/schema";
import { passesFilter } from "../images/imageList";
import type { Selection } from "./change";

type Filter = Omit<ImageFilter, "order">;

/** Images as a bulk command selects them: by `ids`, or by a filter with optional `except`, `total` and `digest`. */
interface Selector {
  ids?: number[] | undefined;
  filter?: Filter | undefined;
  except?: number[] | undefined;
  total?: number | undefined;
  digest?: number | undefined;
}

type Range = [from: number, to: number];

/**
 * Resolves the images of a dataset that a bulk command selects. A filter is applied once, here, so that exactly the
 * counted images are changed, even by a task that runs later. Throws 409 if their number is not `total`, or if other
 * images match the filter than those of `digest`.
 */
export async function selectImages(
  db: Kysely<Schema>,
  datasetId: number,
  { ids = [], filter, except = [], total, digest }: Selector,
): Promise<Selection> {
  if (!filter) return { ids };
  const all = await matchingRanges(db, datasetId, filter);
  const ranges = withoutIds(all, except);
  const now = { total: numberOf(ranges), digest: digestOf(all) };
  if (total !== undefined && total !== now.total) throw totalChanged(total, now);
  if (digest !== undefined && digest !== now.digest) throw othersMatch(now);
  return { ranges };
}

/** Returns the number of images that match a filter, and a number that changes when other images match. */
export async function digestImages(db: Kysely<Schema>, datasetId: number, filter: Filter) {
  const ranges = await matchingRanges(db, datasetId, filter);
  return { total: numberOf(ranges), digest: digestOf(ranges) };
}

const numberOf = (ranges: readonly Range[]) => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);

/** Returns 48 bits of a hash of the ids, as a number that JSON keeps exactly. */
const digestOf = (ranges: readonly Range[]) =>
  Number.parseInt(hash("sha1", JSON.stringify(ranges), "hex").slice(0, 12), 16);

/** Returns ranges in ascending order without some ids. */
function withoutIds(ranges: readonly Range[], ids: readonly number[]): Range[] {
  const left: Range[] = [];
  const sorted = ids.toSorted((a, b) => a - b);
  let next = 0;
  for (const [start, end] of ranges) {
    let from = start;
    while ((sorted[next] ?? Number.POSITIVE_INFINITY) < from) next++;
    for (; (sorted[next] ?? Number.POSITIVE_INFINITY) <= end; next++) {
      const id = sorted[next] ?? end;
      if (id > from) left.push([from, id - 1]);
      from = id + 1;
    }
    if (from <= end) left.push([from, end]);
  }
  return left;
}

/**
 * Returns the ids that pass the filter as contiguous ranges in ascending order: a million images are often a single
 * range. Category filters are strict: images without any of the categories do not pass.
 */
async function matchingRanges(db: Kysely<Schema>, datasetId: number, filter: Filter): Promise<Range[]> {
  const { rows } = await sql<{ from: number; to: number }>`
    select min(id) as "from", max(id) as "to" from (
      select id, id - row_number() over (order by id) as stretch from images
      where ${passesFilter(datasetId, { ...filter, strict_categories: true })}
    ) as matching group by stretch order by 1`.execute(db);
  return rows.map(({ from, to }) => [from, to]);
}

interface Matching {
  [fact: string]: number;
  total: number;
  digest: number;
}

const othersMatch = (now: Matching): HttpError =>
  new HttpError(
    409,
    "The list has changed since it was loaded: as many images match now, but not the same ones. Nothing was changed. Try again.",
    { code: "total_changed", facts: now },
  );

function totalChanged(expected: number, now: Matching): HttpError {
  const { total: found } = now;
  const images = (count: number) => `${count} ${count === 1 ? "image" : "images"}`;
  return new HttpError(
    409,
    `The list has changed since it was loaded: ${images(found)} match now, not ${expected}. Nothing was changed. Try again with the new number.`,
    { code: "total_changed", facts: now },
  );
}
