import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";

/**
 * Counts the annotations of pictures anew into `num_annotations` and `annotated`: those that are there to be seen and
 * have a shape, a box or keypoints. The area is asked first, since a large shape would have to be unpacked. Call it in
 * the transaction that changed them, with the pictures' rows locked.
 */
export async function recountImages(db: Kysely<Schema>, imageIds: readonly number[]): Promise<void> {
  await sql`
    update images i set num_annotations = c.n, annotated = c.n > 0
    from (select w.id, count(a.id)::int as n
      from unnest(${imageIds}::int[]) as w(id)
      left join annotations a on a.image_id = w.id and a.visible and a.deleted_at is null
        and (a.isbbox or a.area > 0 or coalesce(a.shape <> '[]', false) or coalesce(a.keypoints <> '[]', false))
      group by w.id) c
    where i.id = c.id and (i.num_annotations <> c.n or i.annotated <> (c.n > 0))`.execute(db);
}
