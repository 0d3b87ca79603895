import { type Kysely, sql } from "kysely";
import type { StageCounts } from "../../../shared/entities/dataset";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";

/**
 * Returns the numbers of images by stage for some datasets. Leaves out datasets that ask for no review and have no
 * image that waits for one or was returned, so that their accepted images are not counted.
 */
export async function stageCounts(
  db: Kysely<Schema>,
  datasets: readonly { id: number; review: boolean }[],
): Promise<Map<number, StageCounts>> {
  const [ids, reviews] = [datasets.map(({ id }) => id), datasets.map(({ review }) => review)];
  const { rows } = await sql<StageCounts & { id: number }>`
    select d.id, n.to_review, n.returned,
      (select count(*) from images where dataset_id = d.id and ${isLiveImage()} and stage = 'accepted') as accepted
    from unnest(${ids}::integer[], ${reviews}::boolean[]) as d(id, review) cross join lateral (
      select count(*) filter (where stage = 'to_review') as to_review, count(*) filter (where stage = 'returned') as returned
      from images where dataset_id = d.id and ${isLiveImage()} and stage in ('to_review', 'returned') offset 0
    ) n
    where d.review or n.to_review + n.returned > 0`.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
