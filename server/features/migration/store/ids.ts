import { type Kysely, sql } from "kysely";
import type { Json } from "../../../../shared/entities/scalars";
import type { Schema } from "../../../db/schema";
import { idOfKey } from "../dump/values";
import { type NumberedCollection, type Source, TABLES } from "./source";

type Details = { [key: string]: Json };

/** A row that a run has stored for an old document. */
export interface MigratedRow {
  id: number;
  details: Details;
}

/** Returns the rows that were stored for documents, by their keys. */
export async function knownRows(
  db: Kysely<Schema>,
  source: Source,
  collection: string,
  keys: readonly string[],
): Promise<Map<string, MigratedRow>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom("migrated_rows")
    .select(["old_id", "new_id", "details"])
    .where("source", "=", source.id)
    .where("collection", "=", collection)
    .where("old_id", "=", sql<string>`any(${keys}::text[])`)
    .execute();
  return new Map(rows.map(({ old_id, new_id, details }) => [old_id, { id: new_id, details }]));
}

/** Returns all rows that were stored for documents of a collection. For collections that fit into memory. */
export async function allKnownRows(
  db: Kysely<Schema>,
  source: Source,
  collection: string,
): Promise<Map<string, MigratedRow>> {
  const rows = await db
    .selectFrom("migrated_rows")
    .select(["old_id", "new_id", "details"])
    .where("source", "=", source.id)
    .where("collection", "=", collection)
    .execute();
  return new Map(rows.map(({ old_id, new_id, details }) => [old_id, { id: new_id, details }]));
}

/** Records which rows were stored for documents. Call it in the transaction that stores them. */
export async function rememberRows(
  db: Kysely<Schema>,
  source: Source,
  collection: string,
  rows: readonly { key: string; id: number; details?: Details }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into migrated_rows (source, collection, old_id, new_id, details)
    select ${source.id}::uuid, ${collection}::text, key, id, coalesce(details, '{}')
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(key text, id int, details jsonb)`.execute(db);
}

/** Returns the ids that new rows get: the old ones where they are kept, otherwise the next of the table. */
export async function idsFor(
  db: Kysely<Schema>,
  source: Source,
  collection: NumberedCollection,
  keys: readonly string[],
): Promise<number[]> {
  const limit = source.keeps[collection] ?? 0;
  const kept = keys.map((key) => idOfKey(key) ?? 0).map((id) => (id <= limit ? id : 0));
  if (collection === "category_model") await withoutReserved(db, kept);
  const missing = kept.filter((id) => id === 0).length;
  if (missing === 0) return kept;
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${TABLES[collection]}, 'id'))::int as id
    from generate_series(1, ${missing}::int)`.execute(db);
  const fresh = rows.map(({ id }) => id);
  return kept.map((id) => id || (fresh.shift() ?? 0));
}

/** Replaces ids by 0 that browsers have reserved for categories which they create offline. */
async function withoutReserved(db: Kysely<Schema>, ids: number[]): Promise<void> {
  const reserved = await db
    .selectFrom("reserved_category_ids")
    .select("id")
    .where("id", "=", sql<number>`any(${ids}::int[])`)
    .execute();
  for (const { id } of reserved) ids[ids.indexOf(id)] = 0;
}
