import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { MAX_NAMED_IMAGES } from "../../../../shared/api/datasets/bulk";
import type { giveImages as giveCall } from "../../../../shared/api/datasets/consensus";
import type { BodyOf } from "../../../../shared/api/protocol/call";
import { badRequest } from "../../../base/errors";
import type { CurrentUser } from "../../../base/permissions";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import { enqueue, type Started } from "../../../queue/queue";
import type { DatasetAccess } from "../../access/access";
import { selectImages } from "../../bulk/selectImages";
import type { Services } from "../../services";
import { isNoCopy } from "../copies/copies";

/**
 * Queues the task that gives images to users. Throws 400 naming users that do not exist, if the dataset has copies
 * itself, and for more than MAX_NAMED_IMAGES images; 404 if images are not in the dataset, and 409 as `selectImages`
 * does.
 */
export async function startGiving(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  dataset: DatasetAccess,
  { users, is_truth, ...which }: BodyOf<typeof giveCall>,
): Promise<Started> {
  await requireNoCopies(db, dataset.id);
  const userIds = await idsOfUsers(db, users);
  const imageIds = await idsOfImages(db, dataset.id, await selectImages(db, dataset.id, which));
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "giveImages",
      name: `Giving images of ${dataset.name}`,
      key: `giveImages:${randomUUID()}`,
      payload: { dataset_id: dataset.id, image_ids: imageIds, user_ids: userIds, is_truth: is_truth ?? false },
      creatorId: user.id,
      datasetId: dataset.id,
    }),
  );
  wakeRunner();
  return task;
}

async function requireNoCopies(db: Kysely<Schema>, datasetId: number): Promise<void> {
  const row = await db
    .selectFrom("datasets")
    .select("id")
    .where("id", "=", datasetId)
    .where(isNoCopy)
    .executeTakeFirst();
  if (!row) throw badRequest("These images are copies. Give the originals to other users.");
}

async function idsOfUsers(db: Kysely<Schema>, usernames: readonly string[]): Promise<number[]> {
  const wanted = [...new Set(usernames.map((name) => name.trim().toLowerCase()))].filter(Boolean);
  const rows = await db
    .selectFrom("users")
    .select(["id", sql<string>`lower(username)`.as("username")])
    .where(sql<boolean>`lower(username) = any(${wanted}::text[])`)
    .where("username", "!=", "anonymous")
    .where("closed_at", "is", null)
    .execute();
  const known = new Set(rows.map(({ username }) => username));
  const unknown = wanted.filter((name) => !known.has(name));
  const message =
    unknown.length > 0 ? `No such user: ${unknown.slice(0, 10).join(", ")}.` : "Choose at least one user.";
  if (unknown.length > 0 || wanted.length === 0) throw badRequest(message, { users: message });
  return rows.map(({ id }) => id);
}

async function idsOfImages(
  db: Kysely<Schema>,
  datasetId: number,
  selection: Awaited<ReturnType<typeof selectImages>>,
): Promise<number[]> {
  const ranges =
    "ids" in selection ? selection.ids.map((id) => [id, id]) : "ranges" in selection ? selection.ranges : [];
  const { rows } = await sql<{ id: number }>`
    select i.id from images i
    join unnest(${ranges.map(([from]) => from)}::integer[], ${ranges.map(([, to]) => to)}::integer[]) as r(first, last)
      on i.id between r.first and r.last
    where i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")}
    order by i.path_key, i.id limit ${MAX_NAMED_IMAGES + 1}`.execute(db);
  if (rows.length === 0) throw badRequest("There are no images to give.");
  if (rows.length > MAX_NAMED_IMAGES) throw badRequest(`Choose at most ${MAX_NAMED_IMAGES} images at once.`);
  return [...new Set(rows.map(({ id }) => id))];
}
