import { type Migration, sql } from "kysely";

/**
 * Makes a dataset's name unique among those of its owner, rather than among all: a name that a stranger uses cannot be
 * seen and must not be refused. Datasets without an owner may share a name. Equal names that migration 0029 left
 * outside its index stay outside this one, if they have the same owner.
 */
export const datasetNames: Migration = {
  async up(db) {
    const condition = "purged_at is null and owner_id is not null";
    const { rows } = await sql<{ id: number }>`
      select id from (
        select id, row_number() over (partition by owner_id, fold_name(name) order by id) as place
        from datasets where ${sql.raw(condition)}) as named
      where place > 1 order by id`.execute(db);
    const older = rows.length > 0 ? ` and id not in (${rows.map(({ id }) => id).join(", ")})` : "";
    await sql`drop index datasets_name`.execute(db);
    await sql
      .raw(`create unique index datasets_name on datasets (owner_id, fold_name(name)) where ${condition}${older}`)
      .execute(db);
  },
};
