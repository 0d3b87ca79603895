import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { ConfigurationError } from "../../base/errors";
import { isKnownVersion } from "../migrate";
import type { BackupHeader, BackupLine } from "./backupLine";

/** Schema version, trailer and changed rows of a backup, read before its rows are inserted. */
export interface BackupFacts {
  schema: string;
  end: Extract<BackupLine, { end: unknown }>["end"];
  /** JSON text of the rows that replace rows of the pages, by table and key; null for a deleted row. */
  changes: Map<string, Map<string, string | null>>;
}

/** One row of a page as JSON text, with its table. */
export interface PageRow {
  table: string;
  json: string;
}

/** Reads a whole backup once. Throws ConfigurationError if it is incomplete or was made by a newer Limn. */
export async function readFacts(path: string): Promise<BackupFacts> {
  const changes: BackupFacts["changes"] = new Map();
  let schema: string | undefined;
  let end: BackupFacts["end"] | undefined;
  let rows = 0;
  for await (const text of lines(path)) {
    if (end) throw broken(path, "it has data after its end");
    if (schema === undefined) schema = readHeader(text, path);
    else if (text.startsWith(PAGE_LINE)) rows++;
    else if (text.startsWith('{"change":')) noteChange(changes, text);
    else if (text.startsWith('{"end":')) end = JSON.parse(text).end;
    else throw broken(path, "it has an unknown kind of line");
  }
  if (schema === undefined || !end || end.rows !== rows) throw broken(path, "its end is missing");
  return { schema, end, changes };
}

/** Yields the rows of the pages in order. */
export async function* readPages(path: string): AsyncGenerator<PageRow> {
  for await (const text of lines(path)) {
    const table = PAGE_ROW.exec(text)?.[1];
    if (table) yield { table, json: text.slice(`{"table":"${table}","row":`.length, -1) };
  }
}

/** Reads only the first line of a backup. Throws ConfigurationError if it is not a header. */
export async function readHeaderOf(path: string): Promise<BackupHeader> {
  for await (const text of lines(path)) {
    const header: BackupHeader = parse(text, path);
    return header;
  }
  throw broken(path, "it is empty");
}

const PAGE_LINE = '{"table":';
const PAGE_ROW = /^\{"table":"(\w+)","row":/;

function readHeader(text: string, path: string): string {
  const header: { limn?: unknown; schema?: unknown } = parse(text, path);
  if (header.limn !== "backup" || typeof header.schema !== "string") throw broken(path, "it has no valid header");
  if (isKnownVersion(header.schema)) return header.schema;
  throw new ConfigurationError(`${path} was made by a newer Limn (${header.schema}). Update Limn first.`);
}

function parse(text: string, path: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(path, "it has no valid header");
  }
}

/** Adds a changed row. Slices the row's text instead of parsing it, so that numbers stay as PostgreSQL wrote them. */
function noteChange(changes: BackupFacts["changes"], text: string): void {
  const { change, key, row }: Extract<BackupLine, { change: string }> = JSON.parse(text);
  const head = `{"change":${JSON.stringify(change)},"key":${JSON.stringify(key)},"row":`;
  const ofTable = changes.get(change) ?? new Map<string, string | null>();
  ofTable.set(keyOf(key), row === null ? null : text.slice(head.length, -1));
  changes.set(change, ofTable);
}

/** Returns a key as text, independent of the order of its columns. */
export function keyOf(key: Record<string, unknown>): string {
  return JSON.stringify(
    Object.entries(key)
      .map(([column, value]) => [column, String(value)])
      .sort(),
  );
}

async function* lines(path: string): AsyncGenerator<string> {
  let rest: string[] = [];
  try {
    for await (const chunk of unzipped(path)) {
      const [first = "", ...others] = chunk.split("\n");
      rest.push(first);
      for (const begin of others) {
        yield rest.join("");
        rest = [begin];
      }
    }
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw broken(path, error instanceof Error ? error.message : String(error));
  }
  if (rest.join("") !== "") throw broken(path, "its last line is incomplete");
}

function unzipped(path: string): AsyncIterable<string> {
  const gunzip = createGunzip().setEncoding("utf8");
  const file = createReadStream(path).on("error", (error) => gunzip.destroy(error));
  gunzip.on("close", () => file.destroy());
  return file.pipe(gunzip);
}

function broken(path: string, why: string): ConfigurationError {
  return new ConfigurationError(`${path} is not a complete backup: ${why}.`);
}
