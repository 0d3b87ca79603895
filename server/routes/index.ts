import { adminRoutes } from "./accounts/admin";
import { tokenRoutes } from "./accounts/token";
import { userRoutes } from "./accounts/user";
import { annotationRoutes } from "./annotation";
import { annotatorRoutes } from "./annotator";
import { categoryRoutes } from "./category";
import { cocoRoutes } from "./coco";
import { commentRoutes } from "./comment";
import { datasetRoutes } from "./dataset/dataset";
import { datasetBoxRoutes } from "./dataset/datasetBoxes";
import { datasetBulkRoutes } from "./dataset/datasetBulk";
import { datasetConsensusRoutes } from "./dataset/datasetConsensus";
import { datasetImageRoutes } from "./dataset/datasetImages";
import { datasetMemberRoutes } from "./dataset/datasetMembers";
import { datasetQualityRoutes } from "./dataset/datasetQuality";
import { datasetQueueRoutes } from "./dataset/datasetQueue";
import { datasetStatisticsRoutes } from "./dataset/datasetStatistics";
import { datasetVersionRoutes } from "./dataset/datasetVersions";
import { datasetWebhookRoutes } from "./dataset/datasetWebhooks";
import { generateRoutes } from "./dataset/generate";
import { exportRoutes } from "./export";
import type { Route } from "./http/route";
import { imageRoutes } from "./image";
import { infoRoutes } from "./info";
import { modelRoutes } from "./model";
import { offlineRoutes } from "./offline";
import { taskRoutes } from "./task";
import { undoRoutes } from "./undo";
import { workRoutes } from "./work";

/** Routes of all calls in shared/api. */
export const routes: Route[] = [
  ...infoRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...adminRoutes,
  ...datasetRoutes,
  ...datasetImageRoutes,
  ...datasetBulkRoutes,
  ...datasetQueueRoutes,
  ...datasetBoxRoutes,
  ...datasetMemberRoutes,
  ...datasetStatisticsRoutes,
  ...datasetQualityRoutes,
  ...datasetConsensusRoutes,
  ...datasetVersionRoutes,
  ...datasetWebhookRoutes,
  ...generateRoutes,
  ...imageRoutes,
  ...categoryRoutes,
  ...annotationRoutes,
  ...annotatorRoutes,
  ...commentRoutes,
  ...workRoutes,
  ...offlineRoutes,
  ...modelRoutes,
  ...cocoRoutes,
  ...exportRoutes,
  ...taskRoutes,
  ...undoRoutes,
];
