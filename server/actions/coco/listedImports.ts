import type { Kysely } from "kysely";
import type { OutputOf } from "../../../shared/api/call";
import type { listImports } from "../../../shared/api/dataset";
import type { Json } from "../../../shared/entities/scalars";
import type { Schema } from "../../db/schema";

const NEWEST = 50;

/** The newest imports of a dataset with their reports, newest first. */
export async function listedImports(db: Kysely<Schema>, datasetId: number): Promise<OutputOf<typeof listImports>> {
  const rows = await db
    .selectFrom("imports")
    .leftJoin("users", "users.id", "imports.user_id")
    .selectAll("imports")
    .select("users.username")
    .where("dataset_id", "=", datasetId)
    .where("purged_at", "is", null)
    .orderBy("imports.id", "desc")
    .limit(NEWEST)
    .execute();
  return rows.map(({ id, file_name, state, username, created_at, report }) => {
    const { settled: _, has_image_keys: __, licenses: ___, ...told } = report;
    if (Array.isArray(told.categories)) told.categories = told.categories.map(withoutExtra);
    return { id, file_name, state, user: username, created_at: created_at.toISOString(), report: told };
  });
}

/** The file's own keys are for exports. */
function withoutExtra(match: Json): Json {
  if (match === null || typeof match !== "object" || Array.isArray(match)) return match;
  const { extra: _, ...told } = match;
  return told;
}
