import { randomUUID } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import type { Collection } from "../dump/openDump";
import type { Survey } from "../dump/survey";

/** An installation of COCO Annotator, of which one or several dumps are migrated. */
export interface Source {
  id: string;
  /** Ids up to these are the same in Limn; 0 if objects of the collection get new ids. */
  keeps: Record<string, number>;
  /** True if the first migration of this installation begins now. */
  isNew: boolean;
}

/** Tables whose ids may be kept, by collection. */
export const TABLES = {
  category_model: "categories",
  dataset_model: "datasets",
  image_model: "images",
  annotation_model: "annotations",
  export_model: "exports",
} as const satisfies Partial<Record<Collection, keyof Schema>>;
export type NumberedCollection = keyof typeof TABLES;

/** Key of the row whose details are `keeps`. */
const SETTINGS = "settings";

/** Finds the installation that a dump comes from by the ids of its users; undefined if none was migrated. */
export async function findSource(db: Kysely<Schema>, { marks }: Survey): Promise<Source | undefined> {
  const { rows } = await sql<{ source: string }>`
    select source from migrated_rows where collection = 'mark' and old_id = any(${marks}::text[])
    group by source order by count(*) desc, source limit 1`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const settings = await db
    .selectFrom("migrated_rows")
    .select("details")
    .where("source", "=", found.source)
    .where("collection", "=", SETTINGS)
    .executeTakeFirst();
  return { id: found.source, keeps: (settings?.details.keeps ?? {}) as Source["keeps"], isNew: false };
}

/** Returns a source that has not been stored, for a dry run. */
export async function imaginedSource(db: Kysely<Schema>, survey: Survey): Promise<Source> {
  return { id: randomUUID(), keeps: (await isEmpty(db)) ? keepsOf(survey) : {}, isNew: true };
}

/**
 * Registers the installation that a dump comes from. If Limn is still empty, reserves all ids that the old installation
 * has given, so that its objects can keep them.
 */
export async function createSource(db: Kysely<Schema>, survey: Survey): Promise<Source> {
  return transaction(db, async (trx) => {
    for (const table of Object.values(TABLES))
      await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(trx);
    const source = await imaginedSource(trx, survey);
    for (const [collection, last] of Object.entries(source.keeps)) await reserveIds(trx, collection, last);
    const row = (collection: string, old_id: string, details = {}) => {
      return { source: source.id, collection, old_id, new_id: 0, details: JSON.stringify(details) };
    };
    await trx
      .insertInto("migrated_rows")
      .values(row(SETTINGS, SETTINGS, { keeps: source.keeps }))
      .execute();
    await storeMarks(trx, source.id, survey);
    return source;
  });
}

/** Adds the marks of another dump, since users may have been added and removed. */
export async function storeMarks(db: Kysely<Schema>, source: string, { marks }: Survey): Promise<void> {
  await sql`
    insert into migrated_rows (source, collection, old_id, new_id)
    select ${source}::uuid, 'mark', mark, 0 from unnest(${marks}::text[]) as mark
    on conflict do nothing`.execute(db);
}

const keepsOf = ({ lastIds }: Survey): Source["keeps"] =>
  Object.fromEntries(Object.keys(TABLES).map((name) => [name, lastIds[name as NumberedCollection]]));

/** True if Limn has no content yet. It may have accounts, since their ids are never kept. */
async function isEmpty(db: Kysely<Schema>): Promise<boolean> {
  for (const table of [...Object.values(TABLES), "edit_history" as const]) {
    const row = await db.selectFrom(table).select("id").limit(1).executeTakeFirst();
    if (row) return false;
  }
  return true;
}

/** Makes the database give only ids above `last` from now on. */
async function reserveIds(trx: Transaction<Schema>, collection: string, last: number): Promise<void> {
  if (last === 0) return;
  const table = TABLES[collection as NumberedCollection];
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')`;
  await sql`select setval(${sequence}, greatest(${last}::bigint, nextval(${sequence})))`.execute(trx);
}
