import { type Kysely, sql, type Transaction } from "kysely";
import type { Metadata } from "../../../shared/entities/scalars";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { lockImages, RAISED, type Raised, raiseImages, tellRaised } from "../bulk/massWrite";
import type { Services } from "../services";

/** Annotations in one transaction. */
const PAGE = 1_000;

/**
 * Gives the annotations of a dataset those keys of `defaults` that they lack. A mass write without history rows: the
 * revisions of the annotations rise, and whoever has one of the images open loads it again.
 */
export async function addDefaultMetadata(
  { db, live }: Pick<Services, "db" | "live">,
  datasetId: number,
  defaults: Metadata,
): Promise<void> {
  if (Object.keys(defaults).length === 0) return;
  for (let last = 0; ; ) {
    const page = await lacking(db, datasetId, Object.keys(defaults), last);
    if (page.length === 0) return;
    tellRaised(live, await transaction(db, (trx) => addTo(trx, page, defaults)));
    last = page.at(-1)?.id ?? last;
  }
}

interface Place {
  id: number;
  image_id: number;
}

async function lacking(db: Kysely<Schema>, datasetId: number, keys: string[], after: number): Promise<Place[]> {
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

async function addTo(trx: Transaction<Schema>, page: Place[], defaults: Metadata): Promise<Raised[]> {
  const images = [...new Set(page.map((place) => place.image_id))];
  await lockImages(trx, images);
  await sql`
    update annotations a set metadata = ${JSON.stringify(defaults)}::jsonb || metadata, ${RAISED}
    where id = any(${page.map((place) => place.id)}::integer[])`.execute(trx);
  return raiseImages(trx, images);
}
