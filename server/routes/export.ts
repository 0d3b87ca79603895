import { Readable } from "node:stream";
import type { Context } from "koa";
import type { Selectable } from "kysely";
import {
  deleteExport,
  downloadDatasetExport,
  downloadExport,
  exportDataset as exportCall,
  getDatasetCoco,
  getExport,
  listExports,
} from "../../shared/api/export";
import { ago } from "../../shared/rules/ago";
import { folderPath } from "../../shared/rules/folders";
import { notFound } from "../base/errors";
import type { Schema } from "../db/schema";
import { managedDataset } from "../features/access/access";
import { exportDataset } from "../features/exports/coco/exportDataset";
import { type ManagedExport, managedExport } from "../features/exports/managedExport";
import { NO_DOWNLOAD, startExport } from "../features/exports/startExport";
import type { Services } from "../features/services";
import { setFileName } from "../middleware/setFileName";
import { type Route, route } from "./http/route";
import { started } from "./http/started";

const NEWEST = 50;

export const exportRoutes: Route[] = [
  route(exportCall, async ({ params, query, user, services }) =>
    started(await startExport(services, user, params.id, query)),
  ),

  route(getDatasetCoco, async ({ params, query, user, ctx, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, NO_DOWNLOAD);
    const { categories, with_empty_images: withEmptyImages, only_accepted: onlyAccepted, segmentation } = query;
    const options = { categories, withEmptyImages, onlyAccepted, segmentation, folder: folderPath(query.folder ?? "") };
    setFileName(ctx, `${dataset.name}.json`);
    ctx.type = "json";
    ctx.body = Readable.from(exportDataset(db, dataset, options));
  }),

  route(listExports, async ({ params, user, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, NO_DOWNLOAD);
    const rows = await db
      .selectFrom("exports")
      .selectAll()
      .where("dataset_id", "=", params.id)
      .orderBy("id", "desc")
      .limit(NEWEST)
      .execute();
    return rows.map((row) => listed(row, dataset.name));
  }),

  route(getExport, async ({ params, user, services: { db } }) => {
    const { row, dataset } = await managedExport(db, user, params.id);
    return { ...listed(row, dataset.name), dataset_id: row.dataset_id, categories: [] };
  }),

  route(downloadExport, async ({ params, user, ctx, services }) =>
    sendExport(ctx, services, await managedExport(services.db, user, params.id)),
  ),

  route(downloadDatasetExport, async ({ params, user, ctx, services }) =>
    sendExport(ctx, services, await managedExport(services.db, user, params.exportId, params.id)),
  ),

  route(deleteExport, async ({ params, user, services: { db, files } }) => {
    const { row } = await managedExport(db, user, params.id);
    await db.deleteFrom("exports").where("id", "=", row.id).execute();
    await files.transfers.removeExport(row.file);
    return { success: true };
  }),
];

type Row = Selectable<Schema["exports"]>;

const listed = (row: Row, datasetName: string) => ({
  id: row.id,
  ago: ago(row.created_at),
  tags: row.tags,
  created_at: row.created_at.toISOString(),
  bytes: row.bytes,
  file_name: savedAs(row, datasetName),
});

/** Returns the download's name, e.g. "cats-12.json": the dataset's name, the export's id, and the file's extension. */
const savedAs = ({ id, file }: Row, datasetName: string): string => `${datasetName}-${id}.${extensionOf(file)}`;
const extensionOf = (file: string): "zip" | "json" => (file.endsWith(".zip") ? "zip" : "json");

/** Sends the file as an attachment, under the same name as in the browser's list. */
async function sendExport(ctx: Context, { files }: Services, { row, dataset }: ManagedExport): Promise<void> {
  const file = await files.transfers.readExport(row.file);
  if (!file) throw notFound("The export's file is gone. Please export again.");
  setFileName(ctx, savedAs(row, dataset.name));
  ctx.type = extensionOf(row.file);
  ctx.length = file.bytes;
  ctx.body = await file.stream();
}
