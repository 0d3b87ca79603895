import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Kysely, sql } from "kysely";
import { backupName, removeDrafts } from "../backupFiles/backupFolder";
import type { BackupHeader, BackupLine } from "../backupFiles/backupLine";
import { nextPlace } from "../backupFiles/generations";
import { startCapture, stopCapture, takeChanges } from "../changeCapture";
import { SCHEMA_VERSION } from "../migrate";
import type { Database } from "../open/database";
import type { Schema } from "../schema";
import { listTables, type Table } from "../tables";

const ROWS_PER_PAGE = { first: 50, most: 1_000 };
/** Target size of a page; single rows may be larger. */
const BYTES_PER_PAGE = 4_000_000;

/**
 * Writes a backup into the folder and returns its path. The file appears only once it is complete and flushed to disk.
 * On the embedded database no transaction stays open between pages; on a server one snapshot transaction reads all rows
 * and locks nothing.
 */
export async function backUp({ db, kind }: Pick<Database, "db" | "kind">, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeDrafts(folder, draftIdleMs(kind));
  const { number, age } = await nextPlace(folder);
  const header: BackupHeader = { limn: "backup", schema: SCHEMA_VERSION, age, made: Date.now() };
  const path = join(folder, backupName(number));
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    if (kind === "embedded") await writeFile(linesByCapture(db, header), draft);
    else await inSnapshot(db, (trx) => writeFile(linesOfSnapshot(trx, header), draft));
    await rename(draft, path);
    await syncFolder(folder);
    return path;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Returns the milliseconds after which an untouched draft counts as abandoned. The embedded database has one process,
 * which makes one backup at a time; with a server, another process may still be writing it.
 */
export function draftIdleMs(kind: Database["kind"]): number {
  return kind === "embedded" ? 0 : 86_400_000;
}

async function writeFile(lines: AsyncIterable<string>, path: string): Promise<void> {
  await pipeline(Readable.from(lines), createGzip(), createWriteStream(path, { mode: 0o600, flush: true }));
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

function inSnapshot<T>(db: Kysely<Schema>, work: (trx: Kysely<Schema>) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      return work(trx);
    });
}

async function* linesOfSnapshot(trx: Kysely<Schema>, header: BackupHeader): AsyncGenerator<string> {
  const count = yield* rowLines(trx, await listTables(trx), header);
  yield await trailer(trx, count);
}

async function* linesByCapture(db: Kysely<Schema>, header: BackupHeader): AsyncGenerator<string> {
  const tables = await listTables(db);
  await startCapture(db, tables);
  try {
    const count = yield* rowLines(db, tables, header);
    for (let done = false; !done; ) {
      const lines: string[] = [];
      done = await db.transaction().execute(async (trx) => {
        const changes = await takeChanges(trx, ROWS_PER_PAGE.first);
        for (const { name, key } of changes) lines.push(await changeLine(trx, name, key));
        if (changes.length === ROWS_PER_PAGE.first) return false;
        lines.push(await trailer(trx, count));
        return true;
      });
      yield* lines;
    }
  } finally {
    await db.transaction().execute(stopCapture);
  }
}

/** Yields the header and all rows; returns the number of rows. */
async function* rowLines(db: Kysely<Schema>, tables: Table[], header: BackupHeader): AsyncGenerator<string, number> {
  yield `${JSON.stringify(header satisfies BackupLine)}\n`;
  let count = 0;
  for (const table of tables) {
    for await (const page of pages(db, table)) {
      count += page.length;
      yield page.map((row) => `{"table":${JSON.stringify(table.name)},"row":${row}}\n`).join("");
    }
  }
  return count;
}

/** Yields the rows of a table as JSON, in pages ordered by key. */
async function* pages(db: Kysely<Schema>, { name, key }: Table): AsyncGenerator<string[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let limit = ROWS_PER_PAGE.first;
  let after = sql`true`;
  for (;;) {
    const { rows } = await sql<{ json: string; key: string[] }>`
      select row_to_json(t)::text as json, array[${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}] as key
      from ${sql.table(name)} as t where ${after} order by ${columns} limit ${sql.lit(limit)}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => row.json);
    after = sql`(${columns}) > (${sql.join(last.key)})`;
    const bytes = rows.reduce((sum, row) => sum + row.json.length, 0);
    const fitting = Math.floor((BYTES_PER_PAGE * rows.length) / Math.max(1, bytes));
    limit = Math.max(1, Math.min(ROWS_PER_PAGE.most, fitting, limit * 4));
  }
}

async function changeLine(trx: Kysely<Schema>, name: string, key: Record<string, unknown>): Promise<string> {
  const same = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${String(value)}`);
  const { rows } = await sql<{ json: string }>`
    select row_to_json(t)::text as json from ${sql.table(name)} as t where ${sql.join(same, sql` and `)}`.execute(trx);
  return `{"change":${JSON.stringify(name)},"key":${JSON.stringify(key)},"row":${rows[0]?.json ?? "null"}}\n`;
}

async function trailer(trx: Kysely<Schema>, rows: number): Promise<string> {
  const { rows: values } = await sql<{ name: string; last: number }>`
    select sequencename as name, last_value as last from pg_sequences
    where schemaname = current_schema() and last_value is not null`.execute(trx);
  const sequences = Object.fromEntries(values.map(({ name, last }) => [name, last]));
  const end: BackupLine = { end: { rows, moment: new Date().toISOString(), sequences } };
  return `${JSON.stringify(end)}\n`;
}
