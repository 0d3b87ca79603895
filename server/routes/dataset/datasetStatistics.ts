import { getStatistics, resetMetadata as resetCall, resetMetadataByGet } from "../../../shared/api/datasets/dataset";
import { type DatasetFigures, getDatasetFigures } from "../../../shared/api/datasets/datasetFigures";
import { datasetsSeenBy, visibleDataset } from "../../features/access/access";
import { resetMetadata } from "../../features/datasets/resetMetadata";
import { cardFigures } from "../../features/statistics/cardFigures";
import { statisticsOf } from "../../features/statistics/statisticsOf";
import { type Route, route } from "../http/route";

export const datasetStatisticsRoutes: Route[] = [
  route(getStatistics, async ({ params, user, services: { db, env } }) => {
    await visibleDataset(db, user, params.id);
    return statisticsOf(db, params.id, env.DATABASE_URL ? 3 : 1);
  }),

  route(getDatasetFigures, async ({ query, user, services: { db } }) => {
    const seen = await datasetsSeenBy(db, user)
      .select("datasets.id")
      .where("datasets.id", "in", query.ids?.length ? query.ids : [0])
      .orderBy("datasets.id")
      .execute();
    const datasets: DatasetFigures[] = [];
    // One after another, so that other users take their turns with the embedded database.
    for (const { id } of seen) datasets.push(await cardFigures(db, id));
    return { datasets };
  }),

  ...[resetCall, resetMetadataByGet].map((call) =>
    route(call, async ({ params, user, services }) => {
      await resetMetadata(services, user, params.id);
      return { success: true };
    }),
  ),
];
