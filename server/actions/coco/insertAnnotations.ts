import { CompiledQuery, type Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import type { Person } from "../../permissions";
import type { ImportedAnnotation } from "./readAnnotation";

/** A row to be stored; `item` is its place in the file. */
export interface NewRow {
  item: number;
  annotation: ImportedAnnotation;
}

/** Most rows of one statement. On the embedded database everybody waits while it runs: about 0.1 s; more rows at once gain nothing. */
export const BATCH_ROWS = 500;
/** Most JSON of one statement, in characters. */
export const BATCH_LENGTH = 1_000_000;

const COLUMNS = [
  "image_id",
  "category_id",
  "shape",
  "area",
  "bbox",
  "iscrowd",
  "isbbox",
  "color",
  "metadata",
  "keypoints",
  "extra",
  "import_item",
];
const CONSTANTS = ["import_id", "creator_id", "creator_name"];

/**
 * Stores annotations of an import, invisible. Items that the import stored before are left as they are, so that a batch
 * may come again after a kill. The statement is put together by hand: a query builder takes as long as the database.
 */
export async function insertAnnotations(
  db: Kysely<Schema>,
  importId: number,
  { id, username }: Person,
  rows: readonly NewRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const parameters: unknown[] = [importId, id, username];
  for (const row of rows) parameters.push(...valuesOf(row));
  await db.executeQuery(CompiledQuery.raw(statement(rows.length), parameters));
}

function valuesOf({ item, annotation }: NewRow): unknown[] {
  const { image_id, category_id, shape, area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra } = annotation;
  const json = [shape, bbox, metadata, keypoints, extra].map((value) =>
    value === null ? null : JSON.stringify(value),
  );
  return [image_id, category_id, json[0], area, json[1], iscrowd, isbbox, color, json[2], json[3], json[4], item];
}

const statements = new Map<number, string>();

function statement(rows: number): string {
  const known = statements.get(rows);
  if (known) return known;
  const tuples = Array.from({ length: rows }, (_, row) => tuple(CONSTANTS.length + row * COLUMNS.length));
  const text = `insert into annotations (${[...COLUMNS, ...CONSTANTS].join(", ")}, visible) values ${tuples.join(", ")}
    on conflict (import_id, import_item) do nothing`;
  if (rows === BATCH_ROWS) statements.set(rows, text);
  return text;
}

/** Placeholders of one row, whose own begin behind number `from`; those of the constants are $1, $2, $3. */
function tuple(from: number): string {
  const own = COLUMNS.map((_, column) => `$${from + column + 1}`);
  return `(${[...own, ...CONSTANTS.map((_, i) => `$${i + 1}`)].join(", ")}, false)`;
}
