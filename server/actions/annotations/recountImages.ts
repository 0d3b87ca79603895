import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import { isShown } from "./isShown";

/**
 * Counts the annotations of pictures anew into `num_annotations` and `annotated`: those that are there to be seen and
 * have a shape, a box or keypoints. Call it in the transaction that changed them, with the pictures' rows locked.
 */
export async function recountImages(db: Kysely<Schema>, imageIds: readonly number[]): Promise<void> {
  await sql`
    update images i set num_annotations = c.n, annotated = c.n > 0
    from (select w.id, count(a.id)::int as n
      from unnest(${imageIds}::int[]) as w(id)
      left join annotations a on a.image_id = w.id and ${isShown}
      group by w.id) c
    where i.id = c.id and (i.num_annotations <> c.n or i.annotated <> (c.n > 0))`.execute(db);
}
