import { type Kysely, sql } from "kysely";
import type { Schema } from "../../../db/schema";
import type { CategoryMatch } from "../match/matchCategories";

/** Removes the categories that an import added to a dataset's list, unless they are used in the dataset. */
export async function unlistCategories(
  db: Kysely<Schema>,
  datasetId: number,
  matches: readonly CategoryMatch[],
): Promise<void> {
  const added = matches.filter((match) => match.added).map(({ id }) => id);
  await sql`
    delete from dataset_categories l where l.dataset_id = ${datasetId} and l.category_id = any(${added}::int[])
      and not exists (
        select from images i where i.dataset_id = l.dataset_id and (
          l.category_id = any(i.labels) or exists (
            select from annotations a where a.image_id = i.id and a.category_id = l.category_id and a.deleted_at is null)))
  `.execute(db);
}
