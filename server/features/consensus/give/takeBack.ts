import { type Kysely, sql } from "kysely";
import type { CurrentUser } from "../../../base/permissions";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import type { Live } from "../../../live/live";
import { notifyRaisedImages, type RaisedImage } from "../../bulk/bulkWrite";
import { invalidateCachedFigures } from "../../images/staleWhileRevalidate";
import { copiesJoined } from "../copies/copies";

/**
 * Moves the copies of images to the trash: those of all annotators, or of some. Returns their number. Copies that are
 * given again return with their annotations.
 */
export async function takeBack(
  { db, live }: { db: Kysely<Schema>; live: Live },
  user: CurrentUser,
  datasetId: number,
  { ids, annotators }: { ids: readonly number[]; annotators?: readonly number[] | undefined },
): Promise<number> {
  const taken = await transaction(db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select i.id from ${copiesJoined}
      where d.source_id = ${datasetId}::integer and o.id = any(${ids}::integer[])
        and (${annotators === undefined}::boolean or d.dataset_id = any(${annotators ?? []}::integer[]))
      order by i.id for update of i`.execute(trx);
    const { rows: updated } = await sql<RaisedImage & { dataset_id: number; assignee_id: number | null }>`
      update images set deleted_at = now(), deleted_by = ${user.id}::integer
      where id = any(${rows.map(({ id }) => id)}::integer[]) and ${isLiveImage()}
      returning id, revision, dataset_id, assignee_id`.execute(trx);
    return updated;
  });
  notifyRaisedImages(live, taken);
  for (const id of new Set(taken.map(({ dataset_id }) => dataset_id))) {
    invalidateCachedFigures(db, id);
    const annotators = taken.flatMap(({ dataset_id, assignee_id }) => (dataset_id === id ? (assignee_id ?? []) : []));
    live.notifyWork(id, [...new Set(annotators)], "assignments");
  }
  return taken.length;
}

/** Stores that the annotations of images are known to be true, or no longer. Leaves out images of other datasets. */
export async function storeTruth(
  db: Kysely<Schema>,
  datasetId: number,
  { ids, is_truth }: { ids: readonly number[]; is_truth: boolean },
): Promise<void> {
  if (is_truth)
    await sql`
      insert into consensus_truths (image_id)
      select id from images where id = any(${ids}::integer[]) and dataset_id = ${datasetId}::integer and ${isLiveImage()}
      on conflict do nothing`.execute(db);
  else
    await sql`
      delete from consensus_truths t using images i
      where i.id = t.image_id and i.dataset_id = ${datasetId}::integer and i.id = any(${ids}::integer[])`.execute(db);
}
