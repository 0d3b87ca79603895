import type { Kysely } from "kysely";
import type { Statistics } from "../../../shared/entities/statistics";
import type { Schema } from "../../db/schema";
import { staleWhileRevalidate } from "../images/staleWhileRevalidate";
import { datasetSums } from "./datasetSums";
import { statisticsDocument } from "./statisticsDocument";

/**
 * Statistics of a dataset's annotations. Sums of blocks of images are kept until one of their images changes, and
 * large datasets are added up in the background (keepStatistics.ts), so that a call seldom reads annotations. `atOnce`
 * queries run side by side: more than one only where the database has more than one connection.
 */
export function statisticsOf(db: Kysely<Schema>, datasetId: number, atOnce = 1): Promise<Statistics> {
  return staleWhileRevalidate(db, datasetId, "statistics", async () => {
    const sums = await datasetSums(db, datasetId, { atOnce });
    return statisticsDocument(db, datasetId, sums);
  });
}
