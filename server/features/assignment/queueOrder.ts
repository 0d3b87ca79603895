import { type Kysely, sql } from "kysely";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import type { DatasetAccess } from "../access/access";
import { staleWhileRevalidate } from "../images/staleWhileRevalidate";

/** Finding of the quality check whose score is 1 - IoU of an annotation and the network's outline of it. */
const DISAGREEMENT = "unlikelyOutline";
/** Images that are ranked: enough until the next ranking. Others follow in the order of the list. */
const MOST = 300;
const AGE = { freshMs: 10_000, usableMs: 60_000 };

/** SQL condition for images that are assigned to a user, or to nobody: the one that the indices of open images have. */
export const isAssignedTo = (userId: number | null) => sql`coalesce(images.assignee_id, 0) = ${userId ?? 0}`;

/**
 * Returns the first images in a dataset's order of the queue (formulas: docs/decisions/0147-queue.md) that are assigned to a user,
 * or to nobody: none if the order is that of the list. `smart`: images without annotations first, then by the number of
 * images of their rarest category, then by their largest disagreement, then as in the list. The result may be a minute
 * old, so the caller checks that the images may still be given.
 */
export async function rankedImages(
  db: Kysely<Schema>,
  dataset: Pick<DatasetAccess, "id" | "queue_order">,
  userId: number | null,
): Promise<number[]> {
  if (dataset.queue_order === "list") return [];
  return staleWhileRevalidate(
    db,
    dataset.id,
    `queue of ${userId ?? "nobody"}`,
    () => rank(db, dataset.id, userId),
    AGE,
  );
}

/** Ranks images with annotations or labels only if there are not enough images without any. */
async function rank(db: Kysely<Schema>, datasetId: number, userId: number | null): Promise<number[]> {
  const open = sql`images.dataset_id = ${datasetId} and ${isLiveImage()} and not images.done and ${isAssignedTo(userId)}`;
  // A category that no annotation has counts as 0.
  const rarest = sql`(
    select min(coalesce(n.images, 0)) as images
    from unnest(images.categories || images.labels) as c(id) left join counts n using (id))`;
  // The first condition is evaluated once, so that nothing is searched for each image if the check has found nothing.
  const disagreement = sql`case
    when exists (select from quality_findings where dataset_id = ${datasetId} and kind = ${DISAGREEMENT})
    then (select max(f.score) from quality_findings f where f.image_id = images.id and f.kind = ${DISAGREEMENT}) end`;
  const list = sql`images.name_key, images.id`;
  const byCategory = sql`r.images nulls last, ${disagreement} desc nulls last, ${list}`;
  const { rows } = await sql<{ id: number }>`
    with counts as materialized (
      select c.id, count(*)::integer as images from images cross join unnest(images.categories) as c(id)
      where images.dataset_id = ${datasetId} and ${isLiveImage()} group by c.id
    )
    select id from (
      (select images.id from images cross join lateral ${rarest} r
        where ${open} and not images.annotated and cardinality(images.labels) > 0 order by ${byCategory} limit ${MOST})
      union all
      (select images.id from images
        where ${open} and not images.annotated and cardinality(images.labels) = 0 order by ${list} limit ${MOST})
      union all
      (select images.id from images cross join lateral ${rarest} r
        where ${open} and images.annotated order by ${byCategory} limit ${MOST})
    ) ranked limit ${MOST}`.execute(db);
  return rows.map(({ id }) => id);
}
