import { type Kysely, sql } from "kysely";
import type { Metadata } from "../../../shared/entities/scalars";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { Live } from "../../live/live";
import { ownedDataset } from "../access/access";
import { lockImages, RAISED, raiseImages, tellRaised } from "../bulk/massWrite";
import type { Services } from "../services";

/** Annotations in one transaction, and images. */
const PAGE = 1_000;

/**
 * Gives all annotations of a dataset its default metadata and takes all of its images' away; what lies in the trash is no
 * exception, so that nothing old comes back from there. A mass write without history rows: revisions rise where something
 * changes, and whoever has such an image open loads it again. It goes page by page: one that is cut off is finished by
 * another. For the owner and admins; others get 403.
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
    const ids = await describedImages(db, datasetId, last);
    if (ids.length === 0) return;
    tellRaised(
      live,
      await transaction(db, async (trx) => {
        await lockImages(trx, ids);
        return raiseImages(trx, ids, sql`, metadata = '{}'`);
      }),
    );
    last = ids.at(-1) ?? last;
  }
}

/** The annotation that was looked at last: the order is by image, then by annotation. */
interface Position {
  image: number;
  annotation: number;
}

/** Returns the key to continue from; undefined if there is no further annotation. */
async function resetPage(
  db: Kysely<Schema>,
  live: Live,
  datasetId: number,
  defaults: Metadata,
  after: Position,
): Promise<Position | undefined> {
  const page = await otherwise(db, datasetId, defaults, after);
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
  tellRaised(live, raised);
  return { image: last.image_id, annotation: last.id };
}

/** Some annotations whose metadata is not the default one. */
async function otherwise(
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

async function describedImages(db: Kysely<Schema>, datasetId: number, after: number): Promise<number[]> {
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
