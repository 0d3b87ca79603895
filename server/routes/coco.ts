import { Readable } from "node:stream";
import {
  exportDataset as exportCall,
  getDatasetCoco,
  importCoco,
  importPreviewed as importPreviewedCall,
  listImports,
  undoImport,
} from "../../shared/api/dataset";
import { getImageCoco } from "../../shared/api/image";
import { ownedDataset, visibleDataset, visibleImage } from "../actions/access";
import { exportDataset } from "../actions/coco/exportDataset";
import { imageCoco } from "../actions/coco/imageCoco";
import { listedImports } from "../actions/coco/listedImports";
import { NO_DOWNLOAD, startExport } from "../actions/coco/startExport";
import { type Started, startImport } from "../actions/coco/startImport";
import { importPreviewed, startPreview } from "../actions/coco/startPreview";
import { startUndo } from "../actions/coco/startUndo";
import { badRequest, forbidden } from "../errors";
import { sendAs } from "../middleware/sendAs";
import { isOwner } from "../permissions";
import { type Route, route } from "./route";

export const cocoRoutes: Route[] = [
  route(importCoco, async ({ params, query, files, person, services }) => {
    const [file] = files;
    if (!file) throw badRequest("No file was sent.", { coco: "Missing an uploaded file" });
    const start = query.dry_run ? startPreview : startImport;
    return started(await start(services, person, params.id, file));
  }),

  route(importPreviewedCall, async ({ params, person, services }) =>
    started(await importPreviewed(services, person, params.id, params.dryRunId)),
  ),

  route(undoImport, async ({ params, person, services }) =>
    started(await startUndo(services, person, params.id, params.importId)),
  ),

  route(listImports, async ({ params, person, services: { db } }) => {
    await visibleDataset(db, person, params.id);
    return listedImports(db, params.id);
  }),

  route(exportCall, async ({ params, query, person, services }) => {
    const { categories = [], with_empty_images = false, segmentation = null } = query;
    return started(await startExport(services, person, params.id, { categories, with_empty_images, segmentation }));
  }),

  route(getDatasetCoco, async ({ params, query, person, ctx, services: { db } }) => {
    const dataset = await ownedDataset(db, person, params.id, NO_DOWNLOAD);
    const { categories, with_empty_images: withEmptyImages, segmentation } = query;
    sendAs(ctx, `${dataset.name}.json`);
    ctx.type = "json";
    ctx.body = Readable.from(exportDataset(db, dataset, { categories, withEmptyImages, segmentation }));
  }),

  route(getImageCoco, async ({ params, query, person, services: { db } }) => {
    const { image, dataset } = await visibleImage(db, person, params.id);
    if (!isOwner(person, dataset)) throw forbidden("You do not have permission to download the images's annotations");
    return imageCoco(db, image, query.segmentation);
  }),
];

/** `celery_id` is the task's id once more, as older scripts expect it. */
const started = ({ id, name }: Started) => ({ id, name, celery_id: String(id) });
