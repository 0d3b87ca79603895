import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";

/** Numbers of a dataset's images, excluding those in the trash. */
export interface ImageTotals {
  images: number;
  annotated: number;
}

/** Number of a dataset's rows above which they are merged into one. */
const MANY_ROWS = 100;

/** Returns the totals of some datasets, as sums of the differences that triggers store (migration 0006). */
export async function imageTotals(
  db: Kysely<Schema>,
  datasetIds: readonly number[],
): Promise<Map<number, ImageTotals>> {
  const { rows } = await sql<ImageTotals & { id: number; rows: number }>`
    select dataset_id as id, sum(images) as images, sum(annotated) as annotated, count(*) as rows
    from image_counts where dataset_id = any(${datasetIds}::integer[]) group by dataset_id`.execute(db);
  for (const { id, rows: number } of rows) if (number > MANY_ROWS) await mergeRows(db, id);
  const totals = new Map(rows.map(({ id, images, annotated }) => [id, { images, annotated }]));
  return new Map(datasetIds.map((id) => [id, totals.get(id) ?? { images: 0, annotated: 0 }]));
}

/** Returns the totals of one dataset. */
export async function totalsOf(db: Kysely<Schema>, datasetId: number): Promise<ImageTotals> {
  return (await imageTotals(db, [datasetId])).get(datasetId) ?? { images: 0, annotated: 0 };
}

/**
 * Merges a dataset's rows into one, in a single statement, so that the sum never changes. Skips rows that another
 * process is merging.
 */
async function mergeRows(db: Kysely<Schema>, datasetId: number): Promise<void> {
  await sql`
    with merged as (
      delete from image_counts where ctid = any(array(
        select ctid from image_counts where dataset_id = ${datasetId}::integer for update skip locked
      )) returning images, annotated
    )
    insert into image_counts (dataset_id, images, annotated)
    select ${datasetId}::integer, sum(images), sum(annotated) from merged having count(*) > 0`.execute(db);
}
