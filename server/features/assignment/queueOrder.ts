import { type Kysely, type RawBuilder, sql } from "kysely";
import type { QueueOrder } from "../../../shared/entities/dataset";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { staleWhileRevalidate } from "../images/staleWhileRevalidate";

/** Finding of the quality check whose score is 1 - IoU of an annotation and the network's outline of it. */
const DISAGREEMENT = "unlikelyOutline";

/**
 * Returns the SQL order in which a dataset's queue gives images (formulas: docs/decisions/0147-queue.md). `smart`: images
 * without annotations first, then by the number of images of their rarest category, then by their largest disagreement,
 * then as in the list.
 */
export async function queueOrder(
  db: Kysely<Schema>,
  dataset: { id: number; queue_order: QueueOrder },
): Promise<RawBuilder<unknown>> {
  const list = sql`images.name_key, images.id`;
  if (dataset.queue_order === "list") return list;
  const counts = await imagesByCategory(db, dataset.id);
  const byCategory = JSON.stringify(Object.fromEntries(counts.map(({ id, images }) => [id, images])));
  // A category that no annotation has counts as 0.
  const rarest = sql`(
    select min(coalesce((${byCategory}::jsonb ->> c.id::text)::integer, 0))
    from unnest(images.categories || images.labels) as c(id))`;
  const disagreement = sql`(
    select max(f.score) from quality_findings f where f.image_id = images.id and f.kind = ${DISAGREEMENT})`;
  return sql`images.annotated, ${rarest} nulls last, ${disagreement} desc nulls last, ${list}`;
}

/** Returns the number of images that have annotations of each category. */
function imagesByCategory(db: Kysely<Schema>, datasetId: number): Promise<{ id: number; images: number }[]> {
  return staleWhileRevalidate(db, datasetId, "images by category", async () => {
    const { rows } = await sql<{ id: number; images: number }>`
      select c.id, count(*)::integer as images from images cross join unnest(images.categories) as c(id)
      where images.dataset_id = ${datasetId} and ${isLiveImage()} group by c.id`.execute(db);
    return rows;
  });
}
