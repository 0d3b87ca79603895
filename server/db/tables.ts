import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema";

/**
 * A table as described by the database's catalogue, so that backup and restore include every table of the migrations.
 */
export interface Table {
  name: string;
  /** Columns of the primary key, in order. */
  key: string[];
}

/**
 * Tables left out of backups: the state of migrations, message buffers, attempts and commands of the last minutes, the
 * installation id, which a restored database must not inherit, and deliveries of webhooks, which it must not repeat.
 */
const EXCLUDED_TABLES = [
  "kysely_migration",
  "kysely_migration_lock",
  "socket_io_attachments",
  "backup_changes",
  "installation",
  "attempts",
  "commands",
  "data_folder_marks",
  "webhook_deliveries",
];

/** Returns all tables, each after the tables it refers to. */
export async function listTables(db: Kysely<Schema>): Promise<Table[]> {
  const tables = await sql<Table>`
    select c.relname as name, array_agg(a.attname::text order by array_position(p.conkey, a.attnum)) as key
    from pg_class c
    join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(p.conkey)
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and c.relname <> all(${EXCLUDED_TABLES}::text[])
    group by c.relname order by c.relname`.execute(db);
  const references = await sql<{ child: string; parent: string }>`
    select distinct c.relname as child, r.relname as parent from pg_constraint f
    join pg_class c on c.oid = f.conrelid
    join pg_class r on r.oid = f.confrelid
    where f.contype = 'f' and f.conrelid <> f.confrelid and f.connamespace = current_schema()::regnamespace`.execute(
    db,
  );
  return parentsFirst(tables.rows, references.rows);
}

/** Sorts the tables topologically. Source: Kahn, 1962. */
function parentsFirst(tables: Table[], references: { child: string; parent: string }[]): Table[] {
  const sorted: Table[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const open = new Set(rest.map((table) => table.name));
    const waits = (table: Table) => references.some(({ child, parent }) => child === table.name && open.has(parent));
    const free = rest.filter((table) => !waits(table));
    if (free.length === 0) throw new Error(`tables refer to each other in a cycle: ${[...open].join(", ")}`);
    sorted.push(...free);
    rest = rest.filter(waits);
  }
  return sorted;
}
