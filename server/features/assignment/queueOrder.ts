import { type Kysely, sql } from "kysely";
import { endsWithin } from "../../../shared/async/timeLimit";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import type { DatasetAccess } from "../access/access";
import { orderByDistance } from "../embeddings/orderByDistance";
import { continueEmbedding } from "../embeddings/startEmbedding";
import { staleWhileRevalidate } from "../images/staleWhileRevalidate";
import type { Services } from "../services";

/** Finding of the quality check whose score is 1 - IoU of an annotation and the network's outline of it. */
const DISAGREEMENT = "unlikelyOutline";
/** Images that are ranked: enough until the next ranking. Others follow in the order of the list. */
const MOST = 300;
const AGE = { freshMs: 10_000, usableMs: 60_000 };
/** Of the order by distance, whose start stays right while its images are annotated one after another. */
const DISTANCE_AGE = { freshMs: 120_000, usableMs: 600_000 };
/**
 * Longest wait in milliseconds for the order by distance, which may take seconds. Until it is there, images come as in
 * the list.
 */
const PATIENCE_MS = 200;

/** SQL condition for images that are assigned to a user, or to nobody: the one that the indices of open images have. */
export const isAssignedTo = (userId: number | null) => sql`coalesce(images.assignee_id, 0) = ${userId ?? 0}`;

/**
 * Returns the first images in a dataset's order of the queue that are assigned to a user, or to nobody: none if the
 * order is that of the list. `smart` (formulas: docs/decisions/0147-queue.md): images without annotations first, then
 * by the number of images of their rarest category, then by their largest disagreement, then as in the list.
 * `farthest`: those first that are farthest from labelled ones; images that were not compared yet are left out, and
 * comparing them is started. Returns none if this order is not computed within `patienceMs`. The result may be some
 * minutes old, so the caller checks that the images may still be given.
 */
export async function rankedImages(
  services: Pick<Services, "db" | "wakeRunner">,
  dataset: Pick<DatasetAccess, "id" | "name" | "queue_order">,
  userId: number | null,
  patienceMs = PATIENCE_MS,
): Promise<number[]> {
  const { db } = services;
  if (dataset.queue_order === "list") return [];
  const key = `queue ${dataset.queue_order} of ${userId ?? "nobody"}`;
  if (dataset.queue_order === "smart")
    return staleWhileRevalidate(db, dataset.id, key, () => rank(db, dataset.id, userId), AGE);
  const load = async () => {
    await continueEmbedding(services, dataset);
    const hasOpen = await hasOpenImages(db, dataset.id, userId);
    return hasOpen ? orderByDistance(db, dataset.id, isAssignedTo(userId), MOST) : [];
  };
  const order = staleWhileRevalidate(db, dataset.id, key, load, DISTANCE_AGE);
  return (await endsWithin(patienceMs, order)) ? order : [];
}

const isOpenImage = (datasetId: number, userId: number | null) =>
  sql`images.dataset_id = ${datasetId} and ${isLiveImage()} and not images.done and ${isAssignedTo(userId)}`;

/** Returns true if images are left for a user, or nobody's, so that most users' orders cost nothing. */
async function hasOpenImages(db: Kysely<Schema>, datasetId: number, userId: number | null): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from images where ${isOpenImage(datasetId, userId)}) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/** Ranks images with annotations or labels only if there are not enough images without any. */
async function rank(db: Kysely<Schema>, datasetId: number, userId: number | null): Promise<number[]> {
  const open = isOpenImage(datasetId, userId);
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
