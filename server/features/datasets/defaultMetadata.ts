import { type Kysely, sql, type Transaction } from "kysely";
import type { Metadata } from "../../../shared/entities/scalars";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { lockImages, notifyRaisedImages, RAISED, type RaisedImage, raiseImages } from "../bulk/bulkWrite";
import type { Services } from "../services";

/** Number of annotations in one transaction. */
const PAGE = 1_000;

/**
 * Adds the entries of `defaults` to the dataset's annotations that lack their keys. This is a bulk write without
 * history rows: the annotations' revisions rise, and open pages reload the images.
 */
export async function addDefaultMetadata(
  { db, live }: Pick<Services, "db" | "live">,
  datasetId: number,
  defaults: Metadata,
): Promise<void> {
  if (Object.keys(defaults).length === 0) return;
  for (let last = 0; ; ) {
    const page = await findLacking(db, datasetId, Object.keys(defaults), last);
    if (page.length === 0) return;
    notifyRaisedImages(live, await transaction(db, (trx) => addDefaults(trx, page, defaults)));
    last = page.at(-1)?.id ?? last;
  }
}

interface Place {
  id: number;
  image_id: number;
}

async function findLacking(db: Kysely<Schema>, datasetId: number, keys: string[], after: number): Promise<Place[]> {
  return db
    .selectFrom("annotations")
    .innerJoin("images", "images.id", "annotations.image_id")
    .select(["annotations.id", "annotations.image_id"])
    .where("images.dataset_id", "=", datasetId)
    .where("annotations.id", ">", after)
    .where("annotations.deleted_at", "is", null)
    .where(sql<boolean>`not annotations.metadata ?& ${keys}::text[]`)
    .orderBy("annotations.id")
    .limit(PAGE)
    .execute();
}

async function addDefaults(trx: Transaction<Schema>, page: Place[], defaults: Metadata): Promise<RaisedImage[]> {
  const images = [...new Set(page.map((place) => place.image_id))];
  await lockImages(trx, images);
  await sql`
    update annotations a set metadata = ${JSON.stringify(defaults)}::jsonb || metadata, ${RAISED}
    where id = any(${page.map((place) => place.id)}::integer[])`.execute(trx);
  return raiseImages(trx, images);
}
