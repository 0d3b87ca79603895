import { getStatistics, resetMetadata as resetCall, resetMetadataByGet } from "../../../shared/api/dataset";
import { visibleDataset } from "../../features/access/access";
import { resetMetadata } from "../../features/datasets/resetMetadata";
import { statisticsOf } from "../../features/statistics/statisticsOf";
import { type Route, route } from "../http/route";

export const datasetStatisticsRoutes: Route[] = [
  route(getStatistics, async ({ params, user, services: { db, env } }) => {
    await visibleDataset(db, user, params.id);
    return statisticsOf(db, params.id, env.DATABASE_URL ? 3 : 1);
  }),

  ...[resetCall, resetMetadataByGet].map((call) =>
    route(call, async ({ params, user, services }) => {
      await resetMetadata(services, user, params.id);
      return { success: true };
    }),
  ),
];
