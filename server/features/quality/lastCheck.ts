import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";

/** The last check of a dataset that ended. */
export interface LastCheck {
  images: number;
  annotations: number;
  finished_at: Date;
}

export async function lastCheck(db: Kysely<Schema>, datasetId: number): Promise<LastCheck | undefined> {
  const { rows } = await sql<LastCheck>`
    select images, annotations, finished_at from quality_checks where dataset_id = ${datasetId}::integer`.execute(db);
  return rows[0];
}

/** Records that a check has ended, and forgets what was read of images and annotations that no longer exist. */
export async function recordCheck(
  db: Kysely<Schema>,
  datasetId: number,
  { images, annotations }: Omit<LastCheck, "finished_at">,
): Promise<void> {
  await sql`
    insert into quality_checks (dataset_id, images, annotations)
    values (${datasetId}::integer, ${images}::integer, ${annotations}::integer)
    on conflict (dataset_id) do update set images = excluded.images, annotations = excluded.annotations,
      finished_at = now()`.execute(db);
  await sql`
    delete from quality_images q where q.dataset_id = ${datasetId}::integer
      and not exists (select from images i where i.id = q.image_id)`.execute(db);
  await sql`
    delete from quality_looks l where l.dataset_id = ${datasetId}::integer
      and not exists (select from annotations a where a.id = l.annotation_id)`.execute(db);
}
