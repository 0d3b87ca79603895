import { type Kysely, sql } from "kysely";
import { isLiveAnnotation, isShown } from "../../../db/rows/annotations";
import type { Schema } from "../../../db/schema";

/**
 * Recounts the images' shown annotations into `num_annotations` and `annotated`, and updates `categories`, which also
 * covers annotations without a shape. Call it in the transaction that changed them, with the images' rows locked.
 */
export async function recountImages(db: Kysely<Schema>, imageIds: readonly number[]): Promise<void> {
  await sql`
    update images i set num_annotations = c.n, annotated = c.n > 0, categories = c.categories
    from (select w.id, (count(a.id) filter (where ${isShown}))::int as n,
        coalesce(array_agg(distinct a.category_id order by a.category_id) filter (where a.id is not null), '{}') as categories
      from unnest(${imageIds}::int[]) as w(id)
      left join annotations a on a.image_id = w.id and ${isLiveAnnotation("a")}
      group by w.id) c
    where i.id = c.id and (i.num_annotations <> c.n or i.annotated <> (c.n > 0) or i.categories <> c.categories)`.execute(
    db,
  );
}

/**
 * Updates the images' `categories` after annotations have moved to the categories `added`. Looks for one annotation of
 * each category instead of reading all annotations, since moving all annotations of a large image takes several
 * batches.
 */
export async function listCategories(
  db: Kysely<Schema>,
  imageIds: readonly number[],
  added: ReadonlySet<number>,
): Promise<void> {
  await sql`
    update images i set categories = c.categories
    from (select w.id, array(select k.id from (select unnest(w.categories) as id union select unnest(${[...added]}::int[])) k
          where exists (select from annotations a
            where a.category_id = k.id and a.image_id = w.id and ${isLiveAnnotation("a")}) order by k.id) as categories
      from images w where w.id = any(${imageIds}::int[])) c
    where i.id = c.id and i.categories <> c.categories`.execute(db);
}
