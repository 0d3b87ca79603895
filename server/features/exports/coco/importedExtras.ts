import { type Kysely, sql } from "kysely";
import type { Json } from "../../../../shared/entities/scalars";
import type { Schema } from "../../../db/schema";
import type { CategoryMatch } from "../../imports/match/matchCategories";

/** Unknown parts of imported files that are not stored in the rows themselves. Exports write them again. */
export interface ImportedExtras {
  /** Licenses with distinct ids, since images refer to them by id. */
  licenses: Json[];
  /** Unknown keys by category id. The value of the newest file wins. */
  categories: Map<number, { [key: string]: Json }>;
}

type ReportExtras = { licenses: Json | null; categories: Pick<CategoryMatch, "id" | "extra">[] | null };

/** Reads the unknown parts of a dataset's imports, except those that were undone. */
export async function loadImportedExtras(db: Kysely<Schema>, datasetId: number): Promise<ImportedExtras> {
  const { rows } = await sql<ReportExtras>`
    select report -> 'licenses' as licenses, jsonb_path_query_array(report, '$.categories[*] ? (exists(@.extra))') as categories
    from imports where dataset_id = ${datasetId} and state = 'complete' order by id`.execute(db);
  const categories: ImportedExtras["categories"] = new Map();
  for (const { id, extra } of rows.flatMap((row) => row.categories ?? []))
    categories.set(id, { ...categories.get(id), ...extra });
  return { licenses: distinctLicenses(rows.map((row) => row.licenses)), categories };
}

function distinctLicenses(lists: readonly (Json | null)[]): Json[] {
  const byId = new Map<unknown, Json>();
  for (const license of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const id = license !== null && typeof license === "object" && !Array.isArray(license) ? license.id : undefined;
    if (id !== undefined && !byId.has(id)) byId.set(id, license);
  }
  return [...byId.values()];
}
