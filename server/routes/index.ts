import { annotationRoutes } from "./annotation";
import { annotatorRoutes } from "./annotator";
import { categoryRoutes } from "./category";
import { datasetRoutes } from "./dataset";
import { datasetImageRoutes } from "./datasetImages";
import { imageRoutes } from "./image";
import { infoRoutes } from "./info";
import type { Route } from "./route";
import { userRoutes } from "./user";

/** What the server does for every call of shared/api. */
export const routes: Route[] = [
  ...infoRoutes,
  ...userRoutes,
  ...datasetRoutes,
  ...datasetImageRoutes,
  ...imageRoutes,
  ...categoryRoutes,
  ...annotationRoutes,
  ...annotatorRoutes,
];
