import { type Kysely, sql } from "kysely";
import type { CurrentUser } from "../../../base/permissions";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import { defineKeypoints } from "../match/defineKeypoints";
import type { CategoryMatch } from "../match/matchCategories";

/** Removes keypoint definitions that an import gave to categories, unless they were changed since or are in use. */
export async function removeDefinitions(
  db: Kysely<Schema>,
  user: CurrentUser,
  matches: readonly CategoryMatch[],
): Promise<void> {
  for (const match of matches) {
    if (match.how === "defined") await transaction(db, (trx) => removeDefinition(trx, user, match));
  }
}

async function removeDefinition(trx: Kysely<Schema>, user: CurrentUser, { id, revision = -1 }: CategoryMatch) {
  const category = await trx
    .selectFrom("categories")
    .select(["id", "keypoints", "revision"])
    .where("id", "=", id)
    .where("revision", "=", revision)
    .forUpdate()
    .executeTakeFirst();
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from annotations
      where category_id = ${id} and deleted_at is null and jsonb_array_length(keypoints) > 0) as used`.execute(trx);
  if (category && !rows[0]?.used) await defineKeypoints(trx, user, category, { labels: [], edges: [], colors: [] });
}
