import { type Kysely, sql } from "kysely";
import type { Statistics, UserStatistics } from "../../../shared/entities/statistics";
import { statisticsOfSums } from "../../../shared/statistics/statisticsOfSums";
import type { Sums } from "../../../shared/statistics/sums";
import { isLiveCategory } from "../../db/rows/categories";
import type { Schema } from "../../db/schema";

/** Returns the sums in the form that the API sends, with the names of categories and users. */
export async function statisticsDocument(db: Kysely<Schema>, datasetId: number, sums: Sums): Promise<Statistics> {
  const categories = await namedCategories(db, datasetId, sums);
  return statisticsOfSums(sums, { categories, ...(await byUser(db, datasetId, sums)) });
}

/** Returns the categories that the dataset lists or uses. */
async function namedCategories(db: Kysely<Schema>, datasetId: number, sums: Sums) {
  const { rows } = await sql<{ id: number; name: string; color: string }>`
    select id, name, color from categories where ${isLiveCategory()} and (id = any(${[...sums.categories.keys()]}::int[])
      or id in (select category_id from dataset_categories where dataset_id = ${datasetId}))
    order by id`.execute(db);
  return rows;
}

/**
 * Returns the dataset's owner and members and all other users who contributed.
 */
async function byUser(
  db: Kysely<Schema>,
  datasetId: number,
  sums: Sums,
): Promise<{ users: UserStatistics[]; members: number }> {
  const ids = [...sums.makers.keys(), ...sums.times.keys()].filter((key) => typeof key === "number");
  const { rows } = await sql<{ id: number; username: string; is_member: boolean }>`
    with members as (
      select user_id as id from dataset_members where dataset_id = ${datasetId}
      union select owner_id from datasets where id = ${datasetId}
    )
    select id, username, id in (select id from members where id is not null) as is_member from users
    where id = any(${ids}::int[]) or id in (select id from members) order by lower(username)`.execute(db);
  const known = new Set(rows.map((row) => row.id));
  const withAccount = rows.map(({ id, username }) => {
    const { annotations = 0, images = 0 } = sums.makers.get(id) ?? {};
    return { username, account: true, annotations, images, milliseconds: sums.times.get(id) ?? 0 };
  });
  return {
    users: [...withAccount, ...withoutAccount(sums, known)],
    members: rows.filter((row) => row.is_member).length,
  };
}

/** Returns the creators without an account, by the stored name: deleted users, and `system`. */
function withoutAccount({ makers, names }: Sums, known: ReadonlySet<number>): UserStatistics[] {
  const gone = new Map<string, UserStatistics>();
  for (const [key, { annotations, images }] of makers) {
    if (typeof key === "number" && known.has(key)) continue;
    const username = typeof key === "number" ? (names.get(key) ?? "") : key;
    const one = gone.get(username) ?? { username, account: false, annotations: 0, images: 0, milliseconds: 0 };
    gone.set(username, { ...one, annotations: one.annotations + annotations, images: one.images + images });
  }
  return [...gone.values()];
}
