import type { Kysely } from "kysely";
import type { Statistics } from "../../../shared/entities/statistics";
import type { Schema } from "../../db/schema";
import { staleWhileRevalidate } from "../images/staleWhileRevalidate";
import { datasetSums } from "./datasetSums";
import { statisticsDocument } from "./statisticsDocument";

/**
 * Returns the statistics of a dataset's annotations. Sums of blocks of images are stored until one of the images
 * changes, and large datasets are summed in the background (refreshStatistics.ts), so that calls seldom read
 * annotations. `atOnce`: number of concurrent queries, more than one only if the database has more than one connection.
 */
export function statisticsOf(db: Kysely<Schema>, datasetId: number, atOnce = 1): Promise<Statistics> {
  return staleWhileRevalidate(db, datasetId, "statistics", async () => {
    const sums = await datasetSums(db, datasetId, { atOnce });
    return statisticsDocument(db, datasetId, sums);
  });
}
