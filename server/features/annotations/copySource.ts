import { type Kysely, sql } from "kysely";
import { badRequest, type HttpError } from "../../base/errors";
import { isShown } from "../../db/rows/annotations";
import type { AnnotationRow, Schema } from "../../db/schema";
import { type PageLimits, splitIntoPages } from "./rows/splitIntoPages";

/** Limits of one copy. Lengths are in characters of JSON; a page is read or written by one statement. */
export interface CopyLimits extends PageLimits {
  rows: number;
  length: number;
}
export const COPY_LIMITS: CopyLimits = { rows: 20_000, length: 20_000_000, pageRows: 1000, pageBytes: 2_000_000 };

type Limits = Readonly<CopyLimits>;

/**
 * Returns the ids of an image's annotations in the given categories that have a shape or keypoints, in order and split
 * into pages. Throws 400 if they exceed what one call may copy. Compressed columns are unpacked one page at a time, and
 * reading stops at the limit.
 */
export async function pagesToCopy(
  db: Kysely<Schema>,
  imageId: number,
  categories: readonly number[],
  limits: Limits = COPY_LIMITS,
): Promise<number[][]> {
  const { rows } = await sql<{ id: number; bytes: number }>`
    select a.id, coalesce(pg_column_size(a.shape), 0) + coalesce(pg_column_size(a.keypoints), 0)
      + coalesce(pg_column_size(a.extra), 0) + pg_column_size(a.metadata)
      + coalesce(pg_column_size(a.attributes), 0) as bytes
    from annotations a
    where a.image_id = ${imageId} and a.category_id = any(${categories}::int[]) and ${isShown}
    order by a.id limit ${limits.rows + 1}`.execute(db);
  if (rows.length > limits.rows) throw tooMuch(`more than ${limits.rows} annotations`);
  const pages = splitIntoPages(rows, limits);
  let length = 0;
  for (const ids of pages) {
    length += await lengthOf(db, ids);
    if (length > limits.length) throw tooMuch("too many coordinates");
  }
  return pages;
}

/** Returns the full rows that can still be copied. Rows deleted since are left out. */
export async function rowsToCopy(db: Kysely<Schema>, ids: readonly number[]): Promise<AnnotationRow[]> {
  const { rows } = await sql<AnnotationRow>`
    select a.* from annotations a where a.id = any(${ids}::int[]) and ${isShown} order by a.id`.execute(db);
  return rows;
}

export const tooMuch = (what: string): HttpError =>
  badRequest(`The image has ${what} to copy at once. Choose categories and copy them one after another.`);

async function lengthOf(db: Kysely<Schema>, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ length: number }>`
    select coalesce(sum(length(concat(shape, keypoints, extra, metadata, attributes))), 0)::float8 as length
    from annotations where id = any(${ids}::int[])`.execute(db);
  return rows[0]?.length ?? 0;
}
