import { type Kysely, sql } from "kysely";
import { foldName } from "../../../shared/text/fold";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { categoriesSeenBy } from "../access/access";
import { categoryExists, createCategories } from "./createCategory";

/**
 * Returns the ids of the categories with these names, compared by foldName. Of several categories with the same name,
 * it prefers one that the dataset already lists, then one of the user's own, then the oldest that the user may see.
 * Creates missing ones as the user's own. Ignores empty names. Runs in the caller's transaction.
 */
export async function categoriesByName(
  trx: Kysely<Schema>,
  user: CurrentUser,
  names: string[],
  datasetId: number | null,
): Promise<number[]> {
  const wanted = distinctNames(names);
  if (wanted.length === 0) return [];
  const find = () => findCategories(trx, user, wanted, datasetId);
  let known = await find();
  const missing = known.filter(({ id }) => id === null).map(({ name }) => name);
  if (missing.length > 0) {
    await createCategories(trx, user, missing);
    // Also finds categories that another request of the same user has created, for which the insert has waited.
    known = await find();
  }
  return [...new Set(known.map(({ id }) => id ?? throwExists()))];
}

function throwExists(): never {
  throw categoryExists();
}

function distinctNames(names: string[]): string[] {
  const trimmed = names.map((name) => name.trim()).filter(Boolean);
  return [...new Map(trimmed.map((name) => [foldName(name), name])).values()];
}

async function findCategories(trx: Kysely<Schema>, user: CurrentUser, names: string[], datasetId: number | null) {
  const { rows } = await sql<{ name: string; id: number | null }>`
    select distinct on (wanted.place) wanted.name, seen.id
    from unnest(${names}::text[]) with ordinality as wanted (name, place)
    left join (${categoriesSeenBy(trx, user).selectAll("categories")}) as seen on fold_name(seen.name) = fold_name(wanted.name)
    left join dataset_categories as listed on listed.category_id = seen.id and listed.dataset_id = ${datasetId}::integer
    order by wanted.place, listed.category_id is null, seen.creator_id is distinct from ${user.id}::integer, seen.id
  `.execute(trx);
  return rows;
}
