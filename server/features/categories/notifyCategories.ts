import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import type { Live } from "../../live/live";

interface Tools {
  db: Kysely<Schema>;
  live: Pick<Live, "notifyCategories">;
}

interface Options {
  /** Id of the client that made the change. */
  client?: string;
  /** A dataset that may have listed the categories before. */
  datasetId?: number;
}

/**
 * Notifies open images of all datasets that list one of these categories that it has changed. Call it after the commit.
 */
export async function notifyCategories(
  { db, live }: Tools,
  categoryIds: readonly number[],
  { client, datasetId }: Options = {},
): Promise<void> {
  if (categoryIds.length === 0) return;
  const listing = await db
    .selectFrom("dataset_categories")
    .select("dataset_id")
    .distinct()
    .where("category_id", "=", sql<number>`any(${[...categoryIds]}::integer[])`)
    .execute();
  const ids = new Set(listing.map(({ dataset_id }) => dataset_id));
  if (datasetId !== undefined) ids.add(datasetId);
  live.notifyCategories([...ids], client);
}
