import type { Kysely } from "kysely";
import type { DatasetRow, Schema } from "../../db/schema";

/** Returns the dataset that a task works on. Throws if it has been deleted. */
export async function liveDataset(db: Kysely<Schema>, id: number): Promise<DatasetRow> {
  const dataset = await db
    .selectFrom("datasets")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!dataset) throw new Error("The dataset was deleted.");
  return dataset;
}
