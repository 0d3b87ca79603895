import { adminRoutes } from "./admin";
import { annotationRoutes } from "./annotation";
import { annotatorRoutes } from "./annotator";
import { categoryRoutes } from "./category";
import { cocoRoutes } from "./coco";
import { datasetRoutes } from "./dataset";
import { datasetBulkRoutes } from "./datasetBulk";
import { datasetImageRoutes } from "./datasetImages";
import { datasetMemberRoutes } from "./datasetMembers";
import { datasetStatisticsRoutes } from "./datasetStatistics";
import { exportRoutes } from "./export";
import { generateRoutes } from "./generate";
import { imageRoutes } from "./image";
import { infoRoutes } from "./info";
import { modelRoutes } from "./model";
import type { Route } from "./route";
import { taskRoutes } from "./task";
import { tokenRoutes } from "./token";
import { undoRoutes } from "./undo";
import { userRoutes } from "./user";

/** The routes of all calls in shared/api. */
export const routes: Route[] = [
  ...infoRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...adminRoutes,
  ...datasetRoutes,
  ...datasetImageRoutes,
  ...datasetBulkRoutes,
  ...datasetMemberRoutes,
  ...datasetStatisticsRoutes,
  ...generateRoutes,
  ...imageRoutes,
  ...categoryRoutes,
  ...annotationRoutes,
  ...annotatorRoutes,
  ...modelRoutes,
  ...cocoRoutes,
  ...exportRoutes,
  ...taskRoutes,
  ...undoRoutes,
];
