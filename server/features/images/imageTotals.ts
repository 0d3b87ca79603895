import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";

/** Numbers of a dataset's images, without those in the trash. */
export interface ImageTotals {
  images: number;
  annotated: number;
}

/** More rows than this are joined into one. */
const MANY_ROWS = 100;

/** The totals of some datasets: sums of the differences that triggers keep (migration 0006), and nothing counted. */
export async function imageTotals(
  db: Kysely<Schema>,
  datasetIds: readonly number[],
): Promise<Map<number, ImageTotals>> {
  const { rows } = await sql<ImageTotals & { id: number; rows: number }>`
    select dataset_id as id, sum(images) as images, sum(annotated) as annotated, count(*) as rows
    from image_counts where dataset_id = any(${datasetIds}::integer[]) group by dataset_id`.execute(db);
  for (const { id, rows: number } of rows) if (number > MANY_ROWS) await joinRows(db, id);
  const totals = new Map(rows.map(({ id, images, annotated }) => [id, { images, annotated }]));
  return new Map(datasetIds.map((id) => [id, totals.get(id) ?? { images: 0, annotated: 0 }]));
}

export async function totalsOf(db: Kysely<Schema>, datasetId: number): Promise<ImageTotals> {
  return (await imageTotals(db, [datasetId])).get(datasetId) ?? { images: 0, annotated: 0 };
}

/** In one statement, so that the sum is at every moment the same; rows that another one is joining are left to it. */
async function joinRows(db: Kysely<Schema>, datasetId: number): Promise<void> {
  await sql`
    with joined as (
      delete from image_counts where ctid = any(array(
        select ctid from image_counts where dataset_id = ${datasetId}::integer for update skip locked
      )) returning images, annotated
    )
    insert into image_counts (dataset_id, images, annotated)
    select ${datasetId}::integer, sum(images), sum(annotated) from joined having count(*) > 0`.execute(db);
}
