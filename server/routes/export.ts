import type { Context } from "koa";
import { deleteExport, downloadDatasetExport, downloadExport, getExport, listExports } from "../../shared/api/dataset";
import { ago } from "../../shared/rules/ago";
import { ownedDataset } from "../actions/access";
import { type OwnedExport, ownedExport } from "../actions/coco/ownedExport";
import { NO_DOWNLOAD } from "../actions/coco/startExport";
import { notFound } from "../errors";
import { sendAs } from "../middleware/sendAs";
import type { Services } from "../services";
import { type Route, route } from "./route";

const NEWEST = 50;

export const exportRoutes: Route[] = [
  route(listExports, async ({ params, person, services: { db } }) => {
    await ownedDataset(db, person, params.id, NO_DOWNLOAD);
    const rows = await db
      .selectFrom("exports")
      .selectAll()
      .where("dataset_id", "=", params.id)
      .orderBy("id", "desc")
      .limit(NEWEST)
      .execute();
    return rows.map(({ id, tags, created_at, bytes }) => ({
      id,
      ago: ago(created_at),
      tags,
      created_at: created_at.toISOString(),
      bytes,
    }));
  }),

  route(getExport, async ({ params, person, services: { db } }) => {
    const { row } = await ownedExport(db, person, params.id);
    const { id, dataset_id, tags, created_at, bytes } = row;
    return { id, dataset_id, tags, categories: [], created_at: created_at.toISOString(), ago: ago(created_at), bytes };
  }),

  route(downloadExport, async ({ params, person, ctx, services }) =>
    sendExport(ctx, services, await ownedExport(services.db, person, params.id)),
  ),

  route(downloadDatasetExport, async ({ params, person, ctx, services }) =>
    sendExport(ctx, services, await ownedExport(services.db, person, params.exportId, params.id)),
  ),

  route(deleteExport, async ({ params, person, services: { db, files } }) => {
    const { row } = await ownedExport(db, person, params.id);
    await db.deleteFrom("exports").where("id", "=", row.id).execute();
    await files.transfers.removeExport(row.file);
    return { success: true };
  }),
];

/** The file as attachment, under the name that the client gives it too. */
async function sendExport(ctx: Context, { files }: Services, { row, dataset }: OwnedExport): Promise<void> {
  const file = await files.transfers.readExport(row.file);
  if (!file) throw notFound("The export's file is gone. Please export again.");
  sendAs(ctx, `${dataset.name}-${row.id}.json`);
  ctx.type = "json";
  ctx.length = file.bytes;
  ctx.body = file.stream;
}
