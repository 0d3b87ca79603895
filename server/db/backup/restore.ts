import { existsSync, renameSync, rmSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import type { Env } from "../../base/env";
import { ConfigurationError } from "../../base/errors";
import { type BackupFacts, keyOf, type PageRow, readFacts, readPages } from "../backupFiles/readBackup";
import { lockFolder } from "../dataFolder/folderLock";
import { writeMarker } from "../dataFolder/marker";
import { adoptFolder } from "../dataFolder/ownFolder";
import { embeddedFolder, openPglite } from "../embedded/embedded";
import { readInstallation, renewInstallation } from "../installation";
import { currentVersion, migrate } from "../migrate";
import { openServerWithoutTimeouts } from "../open/database";
import type { Schema } from "../schema";
import { listTables, type Table } from "../tables";

/** Result of a restore: the number of rows, the moment of the backup, and the path of the previous database. */
export interface Restored {
  rows: number;
  moment: string;
  kept?: string;
}

const BATCH = { rows: 500, characters: 4_000_000 };

/**
 * Restores a backup into the database, all or nothing. Throws ConfigurationError if the database is not empty. With
 * `force`, an embedded database is moved aside first and a server's rows are deleted.
 */
export async function restore(
  env: Pick<Env, "DATABASE_URL" | "DATA_DIR">,
  path: string,
  force: boolean,
): Promise<Restored> {
  const facts = await readFacts(path);
  return env.DATABASE_URL
    ? restoreToServer(env, env.DATABASE_URL, path, facts, force)
    : restoreToFolder(env.DATA_DIR, path, facts, force);
}

/** Restores into a new folder, which replaces the old one once it is complete. */
async function restoreToFolder(
  dataFolder: string,
  path: string,
  facts: BackupFacts,
  force: boolean,
): Promise<Restored> {
  const lock = await lockFolder(dataFolder, { name: "npm run restore", endsSoon: true });
  try {
    const dir = embeddedFolder(dataFolder);
    if (existsSync(dir) && !force && !(await isEmptyFolder(dir))) throw notEmpty(dir);
    const draft = `${dir}.restored`;
    rmSync(draft, { recursive: true, force: true });
    const { rows, id } = await fill(draft, path, facts);
    const kept = existsSync(dir) ? `${dir}.before-${new Date().toISOString().replaceAll(/[:.]/g, "-")}` : undefined;
    if (kept) renameSync(dir, kept);
    renameSync(draft, dir);
    writeMarker(dataFolder, id);
    return { rows, moment: facts.end.moment, ...(kept && { kept }) };
  } finally {
    lock.release();
  }
}

async function isEmptyFolder(dir: string): Promise<boolean> {
  const { db, close } = await openPglite({ dir }, () => undefined).catch(() => {
    throw new ConfigurationError(`The database in ${dir} cannot be opened. Use --force to move it aside.`);
  });
  return isEmpty(db).finally(close);
}

async function fill(dir: string, path: string, facts: BackupFacts): Promise<{ rows: number; id: string }> {
  const { db, close } = await openPglite({ dir }, () => undefined);
  try {
    await migrate(db, facts.schema);
    const rows = await load(db, path, facts);
    await migrate(db);
    await db.transaction().execute(renewInstallation);
    return { rows, id: (await readInstallation(db)).id };
  } finally {
    await close();
  }
}

/** Restores in one transaction. Missing tables are created in the backup's version first. */
async function restoreToServer(
  { DATA_DIR }: Pick<Env, "DATA_DIR">,
  url: string,
  path: string,
  facts: BackupFacts,
  force: boolean,
): Promise<Restored> {
  const { db, close } = await openServerWithoutTimeouts(url);
  try {
    await requireTables(db, facts.schema);
    const rows = await db.transaction().execute(async (trx) => {
      await renewInstallation(trx);
      if (force) await removeAll(trx);
      if (!(await isEmpty(trx))) throw notEmpty("at DATABASE_URL");
      return load(trx, path, facts);
    });
    await migrate(db);
    await db.transaction().execute(renewInstallation);
    if (DATA_DIR) await adoptFolder(db, DATA_DIR);
    return { rows, moment: facts.end.moment };
  } finally {
    await close();
  }
}

async function requireTables(db: Kysely<Schema>, version: string): Promise<void> {
  const current = await currentVersion(db);
  if (current === undefined) return migrate(db, version);
  if (current === version) return;
  throw new ConfigurationError(
    `The backup has tables of version ${version}, the database ${current}. Restore into a database without tables.`,
  );
}

function notEmpty(where: string): ConfigurationError {
  return new ConfigurationError(`The database ${where} is not empty. Use --force to replace its contents.`);
}

async function isEmpty(db: Kysely<Schema>): Promise<boolean> {
  for (const { name } of await listTables(db)) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) return false;
  }
  return true;
}

/** Tables that are not in backups and refer to nothing, so that deleting other rows leaves theirs. */
const FINDINGS = ["quality_checks", "quality_findings", "quality_fixes", "quality_images", "quality_looks"];

/**
 * Deletes all rows. Cascades to tables that are not in backups but refer to deleted rows, such as sums of statistics.
 */
async function removeAll(trx: Kysely<Schema>): Promise<void> {
  const { rows: findings } = await sql<{ name: string }>`
    select name from unnest(${FINDINGS}::text[]) as name where to_regclass(name) is not null`.execute(trx);
  const tables = [...(await listTables(trx)), ...findings].map(({ name }) => sql.table(name));
  await sql`truncate ${sql.join(tables)} cascade`.execute(trx);
}

/** Inserts table by table, parents first: first the rows that did not change during the backup, then those that did. */
async function load(db: Kysely<Schema>, path: string, { changes, end }: BackupFacts): Promise<number> {
  const pages = readPages(path);
  let page = await pages.next();
  let count = 0;
  for (const table of await listTables(db)) {
    const changed = changes.get(table.name) ?? new Map<string, string | null>();
    const insert = inserter(db, table, await storedColumns(db, table));
    for (; !page.done && page.value.table === table.name; page = await pages.next())
      if (!isReplaced(page.value, table, changed)) await insert.add(page.value.json);
    for (const json of changed.values()) if (json !== null) await insert.add(json);
    count += await insert.finish();
  }
  if (!page.done) throw new ConfigurationError(`${path} has rows of an unknown table: ${page.value.table}.`);
  for (const [name, last] of Object.entries(end.sequences))
    await sql`select setval(${`"${name}"`}::regclass, ${last}::bigint)`.execute(db);
  return count;
}

function isReplaced({ json }: PageRow, { key }: Table, changed: Map<string, string | null>): boolean {
  if (changed.size === 0) return false;
  const row: Record<string, unknown> = JSON.parse(json);
  return changed.has(keyOf(Object.fromEntries(key.map((column) => [column, row[column]]))));
}

/** Returns the columns of a table, except those that the database fills by itself. */
async function storedColumns(db: Kysely<Schema>, { name }: Table): Promise<string[]> {
  const { rows } = await sql<{ column: string }>`
    select attname::text as column from pg_attribute
    where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    db,
  );
  return rows.map(({ column }) => column);
}

function inserter(db: Kysely<Schema>, { name }: Table, columnNames: readonly string[]) {
  const columns = sql.join(columnNames.map((column) => sql.ref(column)));
  let batch: string[] = [];
  let characters = 0;
  let count = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const rows = `[${batch.join(",")}]`;
    const table = sql.table(name);
    await sql`insert into ${table} (${columns})
      select ${columns} from json_populate_recordset(null::${table}, ${rows}::json)`.execute(db);
    count += batch.length;
    batch = [];
    characters = 0;
  };
  return {
    async add(json: string) {
      batch.push(json);
      characters += json.length;
      if (batch.length >= BATCH.rows || characters >= BATCH.characters) await flush();
    },
    async finish() {
      await flush();
      return count;
    },
  };
}
