import { type Kysely, sql } from "kysely";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { categoriesSeenBy } from "../access/access";
import { categoryExists, createCategories } from "./createCategory";

/**
 * Ids of the categories of these names, without regard to case: of several one that the dataset lists already, else an
 * own one, else the oldest that the user sees. What is not there is made, as the user's own. Empty names count for
 * nothing. Runs in the caller's transaction.
 */
export async function categoriesByName(
  trx: Kysely<Schema>,
  user: CurrentUser,
  names: string[],
  datasetId: number | null,
): Promise<number[]> {
  const wanted = distinctNames(names);
  if (wanted.length === 0) return [];
  const look = () => lookUp(trx, user, wanted, datasetId);
  let known = await look();
  const missing = known.filter(({ id }) => id === null).map(({ name }) => name);
  if (missing.length > 0) {
    await createCategories(trx, user, missing);
    // The insert has waited for another request of the same user that created them; they are visible now.
    known = await look();
  }
  return [...new Set(known.map(({ id }) => id ?? refuse()))];
}

function refuse(): never {
  throw categoryExists();
}

function distinctNames(names: string[]): string[] {
  const trimmed = names.map((name) => name.trim()).filter(Boolean);
  return [...new Map(trimmed.map((name) => [name.toLowerCase(), name])).values()];
}

async function lookUp(trx: Kysely<Schema>, user: CurrentUser, names: string[], datasetId: number | null) {
  const { rows } = await sql<{ name: string; id: number | null }>`
    select distinct on (wanted.place) wanted.name, seen.id
    from unnest(${names}::text[]) with ordinality as wanted (name, place)
    left join (${categoriesSeenBy(trx, user).selectAll("categories")}) as seen on lower(seen.name) = lower(wanted.name)
    left join dataset_categories as listed on listed.category_id = seen.id and listed.dataset_id = ${datasetId}::integer
    order by wanted.place, listed.category_id is null, seen.creator_id is distinct from ${user.id}::integer, seen.id
  `.execute(trx);
  return rows;
}
