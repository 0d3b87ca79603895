import {
  importCoco,
  importCocoAsExport,
  importPreviewed as importPreviewedCall,
  listImports,
  undoImport,
} from "../../shared/api/datasets/imports";
import { getImageCoco } from "../../shared/api/image";
import { badRequest, forbidden } from "../base/errors";
import { mayManage } from "../base/permissions";
import { visibleDataset, visibleImage } from "../features/access/access";
import { imageCoco } from "../features/exports/coco/imageCoco";
import { listedImports } from "../features/imports/listedImports";
import { importAfterDryRun, startDryRun } from "../features/imports/startDryRun";
import { startImport } from "../features/imports/startImport";
import { startUndo } from "../features/imports/startUndo";
import { JsonPieces } from "./http/jsonText";
import { type Route, route } from "./http/route";
import { started } from "./http/started";

export const cocoRoutes: Route[] = [
  ...[importCoco, importCocoAsExport].map((call) =>
    route(call, async ({ params, query, files, user, services }) => {
      const [file] = files;
      if (!file) throw badRequest("No file was sent.", { coco: "Missing an uploaded file" });
      const start = query.dry_run ? startDryRun : startImport;
      return started(await start(services, user, params.id, file, query.pixels));
    }),
  ),

  route(importPreviewedCall, async ({ params, query, user, services }) =>
    started(await importAfterDryRun(services, user, params.id, params.dryRunId, query.pixels)),
  ),

  route(undoImport, async ({ params, user, services }) =>
    started(await startUndo(services, user, params.id, params.importId)),
  ),

  route(listImports, async ({ params, user, services: { db } }) => {
    await visibleDataset(db, user, params.id);
    return listedImports(db, params.id);
  }),

  route(getImageCoco, async ({ params, query, user, services: { db } }) => {
    const { image, dataset } = await visibleImage(db, user, params.id);
    if (!mayManage(user, dataset)) throw forbidden("You do not have permission to download the image's annotations");
    return new JsonPieces(await imageCoco(db, image, query.segmentation, user));
  }),
];
