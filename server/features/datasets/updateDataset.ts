import { type Kysely, sql } from "kysely";
import type { updateDataset as updateCall } from "../../../shared/api/dataset";
import type { BodyOf } from "../../../shared/api/protocol/call";
import type { Metadata } from "../../../shared/entities/scalars";
import { forbidden } from "../../base/errors";
import { type CurrentUser, isOwner } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { visibleDataset } from "../access/access";
import { categoriesByName } from "../categories/categoriesByName";
import type { Services } from "../services";
import { requireAllowedOrigin } from "./annotateUrl";
import { listCategories } from "./createDataset";
import { addDefaultMetadata } from "./defaultMetadata";

/**
 * Changes what was sent of a dataset: whole lists, or what is added and removed, of what they are now. Keys that are new in the default metadata go to the annotations there are. Members
 * may do this; the annotate URL is the owner's alone, since everybody's browser sends images there.
 */
export async function updateDataset(
  { db, env, live }: Services,
  user: CurrentUser,
  datasetId: number,
  input: BodyOf<typeof updateCall>,
): Promise<void> {
  const dataset = await visibleDataset(db, user, datasetId);
  const { categories, add_categories: addNames = [], remove_categories: removeNames = [] } = input;
  const { default_annotation_metadata: metadata, set_default_metadata: setEntries = {} } = input;
  const { remove_default_metadata: removeKeys = [] } = input;
  const annotateUrl = input.annotate_url?.trim();
  if (annotateUrl != null && annotateUrl !== dataset.annotate_url) {
    if (!isOwner(user, dataset)) throw forbidden("You do not have permission to change the annotate URL");
    requireAllowedOrigin(annotateUrl, env.ANNOTATE_ORIGINS);
  }
  const added = newKeys(dataset.default_annotation_metadata, metadata ?? setEntries);
  // First to the annotations, then to the dataset: when this is cut off, the keys are still new the next time.
  await addDefaultMetadata({ db, live }, datasetId, added);
  await transaction(db, async (trx) => {
    await sql`select from datasets where id = ${datasetId} for update`.execute(trx);
    if (categories) await replaceCategories(trx, user, datasetId, categories);
    await removeCategories(trx, datasetId, removeNames);
    await listCategories(trx, datasetId, await categoriesByName(trx, user, addNames, datasetId));
    await changeMetadata(trx, datasetId, setEntries, removeKeys);
    if (metadata) await set(trx, datasetId, { default_annotation_metadata: JSON.stringify(metadata) });
    if (annotateUrl != null) await set(trx, datasetId, { annotate_url: annotateUrl });
  });
  // Annotations that somebody made meanwhile.
  await addDefaultMetadata({ db, live }, datasetId, added);
}

function newKeys(before: Metadata, after: Metadata): Metadata {
  return Object.fromEntries(Object.entries(after).filter(([key]) => !Object.hasOwn(before, key)));
}

async function set(
  trx: Kysely<Schema>,
  datasetId: number,
  values: { annotate_url?: string; default_annotation_metadata?: string },
): Promise<void> {
  await trx.updateTable("datasets").set(values).where("id", "=", datasetId).execute();
}

async function changeMetadata(
  trx: Kysely<Schema>,
  datasetId: number,
  entries: Metadata,
  removedKeys: readonly string[],
): Promise<void> {
  if (Object.keys(entries).length + removedKeys.length === 0) return;
  await sql`
    update datasets set default_annotation_metadata =
      (default_annotation_metadata - ${removedKeys}::text[]) || ${JSON.stringify(entries)}::jsonb
    where id = ${datasetId}`.execute(trx);
}

async function removeCategories(trx: Kysely<Schema>, datasetId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const removed = names.map((name) => name.trim().toLowerCase());
  await sql`
    delete from dataset_categories using categories
    where dataset_id = ${datasetId} and category_id = categories.id and deleted_at is null
      and lower(name) = any(${removed}::text[])`.execute(trx);
}

/** Deleted categories stay in the list, so that bringing one back brings it back here. */
async function replaceCategories(trx: Kysely<Schema>, user: CurrentUser, datasetId: number, names: string[]) {
  const ids = await categoriesByName(trx, user, names, datasetId);
  await sql`
    delete from dataset_categories using categories
    where dataset_id = ${datasetId} and category_id = categories.id and deleted_at is null
      and not category_id = any(${ids}::integer[])`.execute(trx);
  await listCategories(trx, datasetId, ids);
}
