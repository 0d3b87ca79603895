import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import type { Patient } from "./check";

/**
 * Finds rows that refer to missing rows: through foreign keys, which happens only on a damaged disk, or inside values.
 * Also finds rows that wait for an import or worker that has ended.
 */
export async function* references({ db }: Patient): AsyncGenerator<string> {
  for (const { child, column, parent, key } of await foreignKeys(db)) {
    const count = await countOf(
      db,
      sql`select count(*) as n from ${sql.table(child)} as c where ${sql.ref(`c.${column}`)} is not null
        and not exists (select 1 from ${sql.table(parent)} as p where ${sql.ref(`p.${key}`)} = ${sql.ref(`c.${column}`)})`,
    );
    if (count > 0) yield `${count} row(s) of ${child} refer to a missing row of ${parent} (${column}).`;
  }
  for (const { what, query } of INSIDE_VALUES) {
    const count = await countOf(db, query);
    if (count > 0) yield `${count} ${what}.`;
  }
}

const INSIDE_VALUES = [
  {
    what: "image(s) are labelled with a missing category",
    query: sql`select count(*) as n from images where exists
      (select 1 from unnest(labels) as label where not exists (select 1 from categories where id = label))`,
  },
  {
    what: "annotation(s) are hidden although their import has ended",
    query: sql`select count(*) as n from annotations a left join imports i on i.id = a.import_id
      where not a.visible and (i.state is null or i.state = 'complete')`,
  },
  {
    what: "import(s) seem to run although their task has ended",
    query: sql`select count(*) as n from imports i left join tasks t on t.id = i.task_id
      where i.state = 'running' and (t.state is null or t.state not in ('queued', 'running'))`,
  },
  {
    what: "running task(s) have had no worker for more than an hour",
    query: sql`select count(*) as n from tasks where state = 'running' and lease_until < now() - interval '1 hour'`,
  },
];

interface ForeignKey {
  child: string;
  column: string;
  parent: string;
  key: string;
}

async function foreignKeys(db: Kysely<Schema>): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select c.relname as child, ca.attname as column, p.relname as parent, pa.attname as key
    from pg_constraint f
    join pg_class c on c.oid = f.conrelid
    join pg_class p on p.oid = f.confrelid
    join pg_attribute ca on ca.attrelid = c.oid and ca.attnum = f.conkey[1]
    join pg_attribute pa on pa.attrelid = p.oid and pa.attnum = f.confkey[1]
    where f.contype = 'f' and f.connamespace = current_schema()::regnamespace
    order by 1, 2`.execute(db);
  return rows;
}

async function countOf(db: Kysely<Schema>, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await query.execute(db);
  return (rows[0] as { n: number } | undefined)?.n ?? 0;
}
