import { type Kysely, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { Schema } from "../../../server/db/schema";
import { describeOnBothDatabases } from "../../support/databases";
import { readSchemaTypes, type TypedColumn, type ValueKind } from "./schemaTypes";

/** Tables used only by plain SQL statements, triggers and libraries. */
const WITHOUT_TYPES = [
  "boxes_before",
  "data_folder_marks",
  "image_counts",
  "image_embeddings",
  "image_leases",
  "images_before",
  "consensus_comparisons",
  "consensus_copies",
  "consensus_datasets",
  "consensus_merges",
  "consensus_truths",
  "quality_checks",
  "quality_findings",
  "quality_fixes",
  "quality_ignored",
  "quality_images",
  "quality_looks",
  "socket_io_attachments",
  "statistics_blocks",
];

/** The value that the driver reads for a PostgreSQL type, see server/db/types.ts. */
const KINDS: Record<string, ValueKind> = {
  int2: "number",
  int4: "number",
  int8: "number",
  float4: "number",
  float8: "number",
  text: "string",
  varchar: "string",
  uuid: "string",
  bool: "boolean",
  timestamptz: "date",
  json: "json",
  jsonb: "json",
  _int4: "numbers",
};

interface StoredColumn {
  table: string;
  column: string;
  type: string;
  isNullable: boolean;
  /** True if an insert may omit it. */
  isFilled: boolean;
}

const types = readSchemaTypes();

describe("the types of the tables", () => {
  test("reads the types from the compiler with kind, null and default", () => {
    const column = (table: string, name: string) => types.get(table)?.get(name);
    expect(column("users", "id")).toEqual({ kind: "number", isNullable: false, isOptional: true });
    expect(column("users", "username")).toEqual({ kind: "string", isNullable: false, isOptional: false });
    expect(column("users", "closed_at")).toEqual({ kind: "date", isNullable: true, isOptional: true });
    expect(column("users", "is_admin")).toEqual({ kind: "boolean", isNullable: false, isOptional: true });
    expect(column("images", "labels")).toEqual({ kind: "numbers", isNullable: false, isOptional: true });
    expect(column("annotations", "shape")).toEqual({ kind: "json", isNullable: true, isOptional: true });
  });
});

describeOnBothDatabases("migrated tables", (open) => {
  let stored: Map<string, Map<string, StoredColumn>>;
  beforeAll(async () => {
    stored = await readTables((await open()).db);
  });

  test("the types cover all tables except those known to have none", () => {
    expect([...stored.keys()].sort()).toEqual([...types.keys(), ...WITHOUT_TYPES].sort());
  });

  for (const [table, columns] of types)
    test(`${table} has the columns, types, nulls and defaults of its type`, () => {
      const there = stored.get(table) ?? new Map<string, StoredColumn>();
      expect([...there.keys()].sort()).toEqual([...columns.keys()].sort());
      const differences = [...columns].flatMap(([name, typed]) => differencesOf(typed, there.get(name)));
      expect(differences).toEqual([]);
    });
});

function differencesOf(typed: TypedColumn, stored: StoredColumn | undefined): string[] {
  if (!stored) return [];
  const { column, type, isNullable, isFilled } = stored;
  const kind = KINDS[type];
  return [
    kind === typed.kind ? [] : [`${column} is ${type}, the type says ${typed.kind}`],
    isNullable === typed.isNullable ? [] : [`${column} ${isNullable ? "may" : "may not"} be null, unlike its type`],
    typed.isOptional && !isFilled ? [`${column} has no default, but an insert may leave it out`] : [],
  ].flat();
}

async function readTables(db: Kysely<Schema>): Promise<Map<string, Map<string, StoredColumn>>> {
  const { rows } = await sql<StoredColumn>`
    select c.table_name as "table", c.column_name as "column", c.udt_name as type,
      c.is_nullable = 'YES' as "isNullable",
      c.is_nullable = 'YES' or c.column_default is not null or c.is_identity = 'YES'
        or c.is_generated = 'ALWAYS' as "isFilled"
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.table_name not like 'kysely_%'`.execute(
    db,
  );
  const tables = new Map<string, Map<string, StoredColumn>>();
  for (const row of rows) tables.set(row.table, (tables.get(row.table) ?? new Map()).set(row.column, row));
  return tables;
}
