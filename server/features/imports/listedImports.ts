import type { Kysely } from "kysely";
import type { listImports } from "../../../shared/api/datasets/imports";
import type { OutputOf } from "../../../shared/api/protocol/call";
import type { Schema } from "../../db/schema";
import { publicReport } from "./read/importReport";

const NEWEST = 50;

/** Returns the latest imports of a dataset with their reports, newest first. */
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
    return { id, file_name, state, user: username, created_at: created_at.toISOString(), report: publicReport(report) };
  });
}
