import { type Kysely, sql, type Transaction } from "kysely";
import type { Schema } from "./schema";
import type { Table } from "./tables";

/**
 * Records the keys of all rows written while a backup reads, with triggers on every table. A backup that reads page by
 * page and then reads these rows again has every row as of one moment, without holding a transaction open.
 */

/** Starts recording. Covers every change that begins after this commits. */
export function startCapture(db: Kysely<Schema>, tables: Table[]): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await stopCapture(trx);
    await sql`create table backup_changes (name text not null, key jsonb not null, primary key (name, key))`.execute(
      trx,
    );
    for (const table of tables) await noteChangesOf(trx, table);
  });
}

/**
 * Creates a trigger function per table that reads only the key: converting whole rows to JSON would cost more than
 * writing them.
 */
async function noteChangesOf(trx: Transaction<Schema>, { name, key }: Table): Promise<void> {
  const keyOf = (row: "old" | "new") => key.map((column) => `'${column}', ${row}."${column}"`).join(", ");
  const note = (row: "old" | "new") =>
    `insert into backup_changes values (tg_table_name, jsonb_build_object(${keyOf(row)})) on conflict do nothing;`;
  const body = `begin
    if tg_op <> 'INSERT' then ${note("old")} end if;
    if tg_op <> 'DELETE' then ${note("new")} end if;
    return null;
  end`;
  const noting = sql.id(`${NOTING}_${name}`);
  await sql`create function ${noting}() returns trigger language plpgsql as ${sql.lit(body)}`.execute(trx);
  await sql`create trigger ${sql.id(NOTING)} after insert or update or delete on ${sql.table(name)}
    for each row execute function ${noting}()`.execute(trx);
}

/** Name of the triggers and prefix of their functions' names. */
const NOTING = "backup_note_change";

/** Drops the triggers and the table of changes, including those left behind by a killed process. */
export async function stopCapture(db: Kysely<Schema>): Promise<void> {
  await sql`set local client_min_messages = error`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc
    where pronamespace = current_schema()::regnamespace and starts_with(proname, ${NOTING})`.execute(db);
  const functions = rows.map(({ name }) => sql.id(name));
  if (functions.length > 0) await sql`drop function ${sql.join(functions)} cascade`.execute(db);
  await sql`drop table if exists backup_changes`.execute(db);
}

export interface NotedChange {
  name: string;
  key: Record<string, unknown>;
}

/** Removes up to `limit` recorded changes and returns them. */
export async function takeChanges(trx: Transaction<Schema>, limit: number): Promise<NotedChange[]> {
  const { rows } = await sql<NotedChange>`delete from backup_changes
    where ctid = any(array(select ctid from backup_changes limit ${limit})) returning name, key`.execute(trx);
  return rows;
}
