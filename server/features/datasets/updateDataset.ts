import { type Kysely, sql } from "kysely";
import type { updateDataset as updateCall } from "../../../shared/api/datasets/dataset";
import type { BodyOf } from "../../../shared/api/protocol/call";
import type { Dataset } from "../../../shared/entities/dataset";
import type { Metadata } from "../../../shared/entities/scalars";
import { foldName } from "../../../shared/text/fold";
import { forbidden } from "../../base/errors";
import { type CurrentUser, mayManage } from "../../base/permissions";
import { isLiveCategory, listCategories } from "../../db/rows/categories";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { editableDataset } from "../access/access";
import { categoriesByName } from "../categories/categoriesByName";
import { startIfUnread } from "../embeddings/startEmbedding";
import type { Services } from "../services";
import { requireAllowedOrigin } from "./annotateUrl";
import { withFreeName } from "./datasetName";
import { addDefaultMetadata } from "./defaultMetadata";

/**
 * Changes the given fields of a dataset. Each list is given in full, or as additions to and removals from the current
 * list. New keys of the default metadata are added to existing annotations. Annotators may change everything but the
 * name, the annotate URL, the review and the queue. Only maintainers may change those, since the browsers of all
 * members send images to the URL. Choosing the order of the queue that needs embeddings of images starts to compute
 * them. Throws 409, and changes nothing, if the owner has another dataset of this name, even in the trash, or the user a
 * category of an added name in the trash.
 */
export async function updateDataset(
  services: Services,
  user: CurrentUser,
  datasetId: number,
  input: BodyOf<typeof updateCall>,
): Promise<void> {
  const { db, env, live } = services;
  const dataset = await editableDataset(db, user, datasetId);
  const { categories, add_categories: addNames = [], remove_categories: removeNames = [] } = input;
  const { remove_category_ids: removeIds = [] } = input;
  const annotateUrl = input.annotate_url?.trim();
  if (annotateUrl != null && annotateUrl !== dataset.annotate_url) {
    if (!mayManage(user, dataset)) throw forbidden("You do not have permission to change the annotate URL");
    requireAllowedOrigin(annotateUrl, env.ANNOTATE_ORIGINS);
  }
  const name = input.name === dataset.name ? undefined : input.name;
  if (name !== undefined && !mayManage(user, dataset))
    throw forbidden("You do not have permission to rename the dataset");
  const review = input.review === dataset.review ? undefined : input.review;
  if (review !== undefined && !mayManage(user, dataset))
    throw forbidden("You do not have permission to change the review of the dataset");
  const queue = changedQueue(dataset, input);
  if (queue && !mayManage(user, dataset))
    throw forbidden("You do not have permission to change the queue of the dataset");
  const store = () =>
    transaction(db, async (trx) => {
      await sql`select from datasets where id = ${datasetId} for update`.execute(trx);
      if (categories) await replaceCategories(trx, user, datasetId, categories);
      await removeNamedCategories(trx, datasetId, removeNames);
      await removeCategories(trx, datasetId, removeIds);
      await listCategories(trx, datasetId, await categoriesByName(trx, user, addNames, datasetId));
      if (annotateUrl != null) await updateRow(trx, datasetId, { annotate_url: annotateUrl });
      if (review !== undefined) await updateRow(trx, datasetId, { review });
      if (queue) await updateRow(trx, datasetId, queue);
      if (name !== undefined) await updateRow(trx, datasetId, { name });
    });
  if (name === undefined) await store();
  else await withFreeName(db, user.id, { name, ownerId: dataset.owner_id, datasetId }, store);
  if (categories || addNames.length + removeNames.length + removeIds.length > 0) live.notifyCategories([datasetId]);
  // Last, because it changes annotations: a name or category that is refused must leave them alone.
  await storeDefaultMetadata(services, dataset, input);
  if (queue?.queue_order === "farthest" && dataset.queue_order !== "farthest")
    await startIfUnread(services, dataset, user);
}

type QueueSettings = Pick<Dataset, "queue_order" | "queue_assigned_only">;

/**
 * Returns the settings of the queue that change; undefined if none does. The others are not written, since another user
 * may be changing them.
 */
function changedQueue(
  now: QueueSettings,
  { queue_order, queue_assigned_only }: BodyOf<typeof updateCall>,
): Partial<QueueSettings> | undefined {
  const given = {
    ...(queue_order !== undefined && queue_order !== now.queue_order && { queue_order }),
    ...(queue_assigned_only !== undefined &&
      queue_assigned_only !== now.queue_assigned_only && { queue_assigned_only }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}

function newKeys(before: Metadata, after: Metadata): Metadata {
  return Object.fromEntries(Object.entries(after).filter(([key]) => !Object.hasOwn(before, key)));
}

async function updateRow(
  db: Kysely<Schema>,
  datasetId: number,
  values: Partial<QueueSettings> & {
    name?: string;
    review?: boolean;
    annotate_url?: string;
    default_annotation_metadata?: string;
  },
): Promise<void> {
  await db.updateTable("datasets").set(values).where("id", "=", datasetId).execute();
}

/**
 * Stores the default metadata, and adds its new keys to existing annotations. These come first, so that after an
 * interruption the keys still count as new at the next attempt.
 */
async function storeDefaultMetadata(
  { db, live }: Pick<Services, "db" | "live">,
  { id, default_annotation_metadata: before }: Pick<Dataset, "id" | "default_annotation_metadata">,
  input: BodyOf<typeof updateCall>,
): Promise<void> {
  const { default_annotation_metadata: all, set_default_metadata: entries = {}, remove_default_metadata: keys } = input;
  const added = newKeys(before, all ?? entries);
  await addDefaultMetadata({ db, live }, id, added);
  if (all) await updateRow(db, id, { default_annotation_metadata: JSON.stringify(all) });
  else await changeMetadata(db, id, entries, keys ?? []);
  // Covers annotations that were created in the meantime.
  await addDefaultMetadata({ db, live }, id, added);
}

async function changeMetadata(
  db: Kysely<Schema>,
  datasetId: number,
  entries: Metadata,
  removedKeys: readonly string[],
): Promise<void> {
  if (Object.keys(entries).length + removedKeys.length === 0) return;
  await sql`
    update datasets set default_annotation_metadata =
      (default_annotation_metadata - ${removedKeys}::text[]) || ${JSON.stringify(entries)}::jsonb
    where id = ${datasetId}`.execute(db);
}

async function removeCategories(trx: Kysely<Schema>, datasetId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    delete from dataset_categories where dataset_id = ${datasetId} and category_id = any(${ids}::integer[])`.execute(
    trx,
  );
}

async function removeNamedCategories(trx: Kysely<Schema>, datasetId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const removed = names.map((name) => foldName(name.trim()));
  await sql`
    delete from dataset_categories using categories
    where dataset_id = ${datasetId} and category_id = categories.id and ${isLiveCategory()}
      and fold_name(name) = any(${removed}::text[])`.execute(trx);
}

/**
 * Replaces the dataset's list of categories. Deleted categories stay in the list, so that a restored category is listed
 * again.
 */
async function replaceCategories(trx: Kysely<Schema>, user: CurrentUser, datasetId: number, names: string[]) {
  const ids = await categoriesByName(trx, user, names, datasetId);
  await sql`
    delete from dataset_categories using categories
    where dataset_id = ${datasetId} and category_id = categories.id and ${isLiveCategory()}
      and not category_id = any(${ids}::integer[])`.execute(trx);
  await listCategories(trx, datasetId, ids);
}
