import { type Kysely, sql } from "kysely";
import type { Metadata } from "../../../shared/entities/scalars";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Live } from "../../live/live";
import { ownedDataset } from "../access/access";
import { lockImages, notifyRaisedImages, RAISED, raiseImages } from "../bulk/bulkWrite";
import type { Services } from "../services";

/** Number of annotations, or of images, in one transaction. */
const PAGE = 1_000;

/**
 * Resets the metadata of all annotations of a dataset to its default metadata, and removes the metadata of its images.
 * Includes the trash, so that no old metadata is restored from there. This is a bulk write without history rows:
 * revisions rise where something changes, and open pages reload the images. It works page by page, so an interrupted
 * reset is completed by calling it again. Throws 403 unless the user is the owner or an admin.
 */
export async function resetMetadata(
  { db, live }: Pick<Services, "db" | "live">,
  user: CurrentUser,
  datasetId: number,
): Promise<void> {
  const dataset = await ownedDataset(db, user, datasetId, "You do not have permission to reset the metadata");
  const defaults = dataset.default_annotation_metadata;
  for (let from: Position | undefined = { image: 0, annotation: 0 }; from; )
    from = await resetPage(db, live, datasetId, defaults, from);
  for (let last = 0; ; ) {
    const ids = await imagesWithMetadata(db, datasetId, last);
    if (ids.length === 0) return;
    notifyRaisedImages(
      live,
      await transaction(db, async (trx) => {
        await lockImages(trx, ids);
        return raiseImages(trx, ids, sql`, metadata = '{}'`);
      }),
    );
    last = ids.at(-1) ?? last;
  }
}

/** Sort key of the last annotation of a page: the order is by image, then by annotation. */
interface Position {
  image: number;
  annotation: number;
}

/** Resets one page. Returns the position to continue from, or undefined after the last annotation. */
async function resetPage(
  db: Kysely<Schema>,
  live: Live,
  datasetId: number,
  defaults: Metadata,
  after: Position,
): Promise<Position | undefined> {
  const page = await annotationsToReset(db, datasetId, defaults, after);
  const last = page.at(-1);
  if (!last) return undefined;
  const images = [...new Set(page.map((place) => place.image_id))];
  const raised = await transaction(db, async (trx) => {
    await lockImages(trx, images);
    const { rows } = await sql<{ image_id: number }>`
      update annotations a set metadata = ${JSON.stringify(defaults)}::jsonb, ${RAISED}
      where id = any(${page.map(({ id }) => id)}::int[]) and metadata <> ${JSON.stringify(defaults)}::jsonb
      returning image_id`.execute(trx);
    return raiseImages(trx, [...new Set(rows.map((row) => row.image_id))]);
  });
  notifyRaisedImages(live, raised);
  return { image: last.image_id, annotation: last.id };
}

/** Returns the next annotations whose metadata differs from the default. */
async function annotationsToReset(
  db: Kysely<Schema>,
  datasetId: number,
  defaults: Metadata,
  after: Position,
): Promise<{ id: number; image_id: number }[]> {
  const { rows } = await sql<{ id: number; image_id: number }>`
    select a.id, a.image_id from annotations a join images i on i.id = a.image_id
    where i.dataset_id = ${datasetId} and (a.image_id, a.id) > (${after.image}, ${after.annotation})
      and a.metadata <> ${JSON.stringify(defaults)}::jsonb
    order by a.image_id, a.id limit ${PAGE}`.execute(db);
  return rows;
}

async function imagesWithMetadata(db: Kysely<Schema>, datasetId: number, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom("images")
    .select("id")
    .where("dataset_id", "=", datasetId)
    .where("id", ">", after)
    .where(sql<boolean>`metadata <> '{}'`)
    .orderBy("id")
    .limit(PAGE)
    .execute();
  return rows.map((row) => row.id);
}
