import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "./schema";
import type { Table } from "./tables";

/**
 * Notes the keys of all rows that are written while a backup reads, by triggers on every table. A backup that reads page
 * by page and then these rows once more has every row as it is at one moment, and holds nothing meanwhile.
 */

/** From the commit of this on, every change is noted. */
export function startCapture(db: Kysely<Schema>, tables: Table[]): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await stopCapture(trx);
    await sql`create table backup_changes (name text not null, key jsonb not null, primary key (name, key))`.execute(
      trx,
    );
    await sql
      .raw(`create function backup_note_change() returns trigger language plpgsql as $$
        begin
          if tg_op <> 'INSERT' then
            insert into backup_changes select tg_table_name, jsonb_object_agg(k, to_jsonb(old) -> k) from unnest(tg_argv) as k
              on conflict do nothing;
          end if;
          if tg_op <> 'DELETE' then
            insert into backup_changes select tg_table_name, jsonb_object_agg(k, to_jsonb(new) -> k) from unnest(tg_argv) as k
              on conflict do nothing;
          end if;
          return null;
        end $$`)
      .execute(trx);
    for (const { name, key } of tables) {
      const columns = sql.join(key.map((column) => sql.lit(column)));
      await sql`create trigger backup_note_change after insert or update or delete on ${sql.table(name)}
        for each row execute function backup_note_change(${columns})`.execute(trx);
    }
  });
}

/** Also takes away what a killed process left. */
export async function stopCapture(db: Kysely<Schema>): Promise<void> {
  await sql`set local client_min_messages = error`.execute(db);
  await sql`drop function if exists backup_note_change cascade`.execute(db);
  await sql`drop table if exists backup_changes`.execute(db);
}

export interface NotedChange {
  name: string;
  key: Record<string, unknown>;
}

/** Takes up to `limit` changes from the notes. */
export async function takeChanges(trx: Transaction<Schema>, limit: number): Promise<NotedChange[]> {
  const { rows } = await sql<NotedChange>`delete from backup_changes
    where ctid = any(array(select ctid from backup_changes limit ${limit})) returning name, key`.execute(trx);
  return rows;
}
