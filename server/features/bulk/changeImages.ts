import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { newImagePath } from "../../files/paths/safePath";
import { concernedUsers } from "../assignment/concernedUsers";
import { assignImages, lockAnnotators } from "./assignImages";
import { type ChangeKey, deleteOldRecords, recordBefore } from "./before";
import { lockImages, notifyRaisedImages, type RaisedImage, raiseImages } from "./bulkWrite";
import { type Change, type ChangeTools, failuresOfMissing, type Order, type Outcome } from "./change";
import { markImages } from "./markImages";
import { moveImages } from "./moveImages";
import { takeBackChange } from "./takeBackChange";

/** Maximum number of images in one transaction. */
export const BATCH = 200;

/**
 * Applies an order's change to these images, at most BATCH of them. Missing images (of another dataset, or deleted in
 * the meantime) are reported as failures and do not affect the others. Applying it twice has the same result as once.
 */
export async function changeImages(
  tools: ChangeTools,
  dataset: { id: number; folder: string },
  order: Order,
  ids: readonly number[],
): Promise<Outcome> {
  const { change } = order;
  await deleteOldRecords(tools.db, 2 * BATCH);
  if (change.what === "takeBack") return takeBackChange(tools, dataset, { ...change, userId: order.person_id }, ids);
  if (change.what === "move")
    return moveImages(tools, dataset, ({ file_name }) => newImagePath(change.folder, file_name), ids, order);
  const { found, raised, refused, assigned } = await transaction(tools.db, async (trx) => {
    // In the order in which changes of members lock: these rows, then the images.
    const annotators = change.what === "assign" ? await lockAnnotators(trx, dataset.id, change.users) : [];
    await lockImages(trx, ids);
    const found = await findImages(trx, dataset.id, change, ids);
    const unchanged = { found, raised: [], refused: [], assigned: undefined };
    if (change.what === "mark") return { ...unchanged, ...(await markImages(trx, order, change, found)) };
    if (change.what === "assign")
      return { ...unchanged, ...(await assignImages(trx, order, { annotators, ...change }, found)) };
    return { ...unchanged, raised: await write(trx, { ...order, change }, found) };
  });
  notifyRaisedImages(tools.live, raised);
  if (assigned) tools.live.notifyWork(dataset.id, assigned, "assignments");
  const moved = change.what === "mark" ? raised.map(({ id }) => id) : [];
  for (const { userIds } of await concernedUsers(tools.db, moved))
    tools.live.notifyWork(dataset.id, userIds, "assignments");
  return { changed: found.length - refused.length, failures: [...failuresOfMissing(ids, found), ...refused] };
}

/** Returns the ids of the images that the change can be applied to. */
async function findImages(
  trx: Transaction<Schema>,
  datasetId: number,
  change: Change,
  ids: readonly number[],
): Promise<number[]> {
  const isEligible =
    change.what === "delete" || change.what === "restore"
      ? sql`(deleted_at is null or deleted_at = ${change.at}::timestamptz)`
      : sql`deleted_at is null`;
  const { rows } = await sql<{ id: number }>`
    select id from images where id = any(${ids}::int[]) and dataset_id = ${datasetId} and ${isEligible} order by id`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

/** Writes the change. Returns the images that open pages must reload. */
async function write(
  trx: Transaction<Schema>,
  order: Order & { change: Exclude<Change, { what: "move" | "mark" | "assign" | "takeBack" }> },
  ids: readonly number[],
): Promise<RaisedImage[]> {
  const { change, person_id } = order;
  const these = sql`id = any(${ids}::int[])`;
  switch (change.what) {
    case "delete":
      return updateImages(
        trx,
        sql`update images set deleted_at = ${change.at}::timestamptz, deleted_by = ${person_id}::integer
          where ${these} and deleted_at is null`,
      );
    case "restore":
      return updateImages(trx, sql`update images set deleted_at = null, deleted_by = null where ${these}`);
    case "label":
      return label(trx, order, change, ids);
  }
}

/** Runs an update and returns the images with their revisions, which a move to or from the trash does not change. */
async function updateImages(trx: Transaction<Schema>, update: RawBuilder<unknown>): Promise<RaisedImage[]> {
  return (await sql<RaisedImage>`${update} returning id, revision`.execute(trx)).rows;
}

async function label(
  trx: Transaction<Schema>,
  key: ChangeKey,
  { add, remove }: Extract<Change, { what: "label" }>,
  ids: readonly number[],
): Promise<RaisedImage[]> {
  const labels = sql`array(
    select distinct label from unnest(labels || ${add}::int[]) as label where label <> all(${remove}::int[]) order by 1)`;
  const which = sql`id = any(${ids}::int[]) and ${labels} <> array(select unnest(labels) order by 1)`;
  await recordBefore(trx, key, {
    before: sql`jsonb_build_object('labels', labels)`,
    after: sql`jsonb_build_object('labels', ${labels})`,
    which,
  });
  const { rows } = await sql<{ id: number }>`select id from images where ${which}`.execute(trx);
  return raiseImages(
    trx,
    rows.map(({ id }) => id),
    sql`, labels = ${labels}`,
  );
}
