import { type Kysely, sql } from "kysely";
import { log } from "../../base/log";
import type { Schema } from "../../db/schema";
import type { Live } from "../../live/live";

interface Tools {
  db: Kysely<Schema>;
  live: Pick<Live, "notifyCategories">;
}

interface Options {
  /** Id of the client that made the change. */
  client?: string | undefined;
  /** A dataset that may have listed the categories before. */
  datasetId?: number;
}

/**
 * Notifies open images of all datasets that list one of these categories that it has changed. Call it after the commit.
 * Never rejects, because the change is stored.
 */
export async function notifyCategories(
  { db, live }: Tools,
  categoryIds: readonly number[],
  { client, datasetId }: Options = {},
): Promise<void> {
  if (categoryIds.length === 0) return;
  try {
    const ids = new Set(await datasetsOf(db, categoryIds));
    if (datasetId !== undefined) ids.add(datasetId);
    live.notifyCategories([...ids], client);
  } catch (error) {
    log.warn({ err: error }, "could not notify open images of changed categories");
  }
}

/** Returns the ids of the datasets that list one of these categories. */
async function datasetsOf(db: Kysely<Schema>, categoryIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom("dataset_categories")
    .select("dataset_id")
    .distinct()
    .where("category_id", "=", sql<number>`any(${[...categoryIds]}::integer[])`)
    .execute();
  return rows.map(({ dataset_id }) => dataset_id);
}
