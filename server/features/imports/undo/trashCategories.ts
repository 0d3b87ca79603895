import { type Kysely, sql } from "kysely";
import { isLiveCategory } from "../../../db/rows/categories";
import type { Schema } from "../../../db/schema";
import type { CategoryMatch } from "../match/matchCategories";

/** Moves the categories that nothing uses to the trash. Returns their names. */
export async function trashCategories(
  db: Kysely<Schema>,
  userId: number | null,
  matches: readonly CategoryMatch[],
): Promise<string[]> {
  const ids = matches.map(({ id }) => id);
  const { rows } = await sql<{ name: string }>`
    update categories c set deleted_at = now(), deleted_by = ${userId}
    where c.id = any(${ids}::int[]) and ${isLiveCategory("c")}
      and not exists (select from annotations where category_id = c.id and deleted_at is null)
      and c.id <> all (
        select distinct label from dataset_categories l
        join images i on i.dataset_id = l.dataset_id, unnest(i.labels) as label
        where l.category_id = any(${ids}::int[]))
    returning c.name`.execute(db);
  return rows.map(({ name }) => name);
}
