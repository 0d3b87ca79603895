import { type Kysely, sql } from "kysely";
import { CARD_THUMBNAILS, type DatasetFigures } from "../../../shared/api/datasets/datasetFigures";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { staleWhileRevalidate } from "../images/staleWhileRevalidate";

/** Number of the newest images that are counted, so that the query stays short. */
const MAX_COUNTED = 20_000;
/** Number of categories that are returned. */
const MAX_CATEGORIES = 40;

/** Returns the figures on a dataset's card. The caller must have checked that the user may see the dataset. */
export function cardFigures(db: Kysely<Schema>, datasetId: number): Promise<DatasetFigures> {
  return staleWhileRevalidate(db, datasetId, "card", async () => {
    const { rows } = await sql<Pick<DatasetFigures, "thumbnails" | "categories">>`
      select
        array(select id from images where dataset_id = ${datasetId} and ${isLiveImage()}
          order by dataset_id, id limit ${CARD_THUMBNAILS}) as thumbnails,
        (select coalesce(jsonb_agg(jsonb_build_object('id', category, 'images', number) order by number desc, category), '[]')
          from (
            select category, count(*)::int as number
            from (select categories from images where dataset_id = ${datasetId} and ${isLiveImage()}
              order by dataset_id desc, id desc limit ${MAX_COUNTED}) as newest, unnest(categories) as category
            group by category order by number desc, category limit ${MAX_CATEGORIES}) as counted) as categories`.execute(
      db,
    );
    return { id: datasetId, ...rows[0]! };
  });
}
