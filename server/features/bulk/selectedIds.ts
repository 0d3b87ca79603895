import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import { countImages, passesFilter } from "../images/imageList";
import { recordsOf } from "./before";
import type { Order } from "./change";

/**
 * Yields the selected ids in pages of `size`. Filters are paged by id, so that an image that no longer passes after its
 * change does not shift the others. Images added in the meantime are not included.
 */
export async function* selectedIds(db: Kysely<Schema>, order: Order, size: number): AsyncGenerator<number[]> {
  const { selection } = order;
  if ("ids" in selection) {
    const ids = [...new Set(selection.ids)];
    for (let from = 0; from < ids.length; from += size) yield ids.slice(from, from + size);
    return;
  }
  if ("ranges" in selection) return yield* inPages(selection.ranges, size);
  if ("changedBy" in selection) return yield* changedIds(db, order, selection.changedBy, size);
  const newest = await newestId(db, order.dataset_id);
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select id from images where ${isSelected(order)} and id > ${last}::integer and id <= ${newest}::integer
      order by id limit ${size}`.execute(db);
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < size) return;
    last = rows.at(-1)?.id ?? last;
  }
}

function* inPages(ranges: readonly (readonly [number, number])[], size: number): Generator<number[]> {
  let page: number[] = [];
  for (const [from, to] of ranges)
    for (let id = from; id <= to; id++) {
      page.push(id);
      if (page.length < size) continue;
      yield page;
      page = [];
    }
  if (page.length > 0) yield page;
}

/** Yields the images of a change, including those that no longer exist. */
async function* changedIds(db: Kysely<Schema>, order: Order, id: string, size: number): AsyncGenerator<number[]> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select image_id as id from images_before where ${recordsOf({ ...order, id })} and image_id > ${last}::integer
      order by image_id limit ${size}`.execute(db);
    if (rows.length > 0) yield rows.map((row) => row.id);
    if (rows.length < size) return;
    last = rows.at(-1)?.id ?? last;
  }
}

async function newestId(db: Kysely<Schema>, datasetId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from images where dataset_id = ${datasetId}`.execute(db);
  return rows[0]?.id ?? 0;
}

function isSelected({ dataset_id, person_id, selection }: Order) {
  if ("filter" in selection)
    return sql`${passesFilter(dataset_id, selection.filter)} and id <> all(${selection.except}::integer[])`;
  const deletedAt = "deletedAt" in selection ? selection.deletedAt : null;
  return sql`dataset_id = ${dataset_id} and deleted_at = ${deletedAt}::timestamptz and deleted_by = ${person_id}::integer`;
}

/** Returns the number of selected images, for a task's progress. */
export async function countSelected(db: Kysely<Schema>, order: Order): Promise<number> {
  const { selection } = order;
  if ("ids" in selection) return selection.ids.length;
  if ("ranges" in selection) return selection.ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if ("filter" in selection)
    return Math.max(0, (await countImages(db, order.dataset_id, selection.filter)) - selection.except.length);
  const from =
    "changedBy" in selection
      ? sql`images_before where ${recordsOf({ ...order, id: selection.changedBy })}`
      : sql`images where ${isSelected(order)}`;
  const { rows } = await sql<{ number: number }>`select count(*) as number from ${from}`.execute(db);
  return rows[0]?.number ?? 0;
}
