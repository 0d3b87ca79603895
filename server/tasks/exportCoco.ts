import type { Kysely } from "kysely";
import type { Json } from "../../shared/entities/scalars";
import { type Exported, exportDataset } from "../actions/coco/exportDataset";
import { exportPayload } from "../actions/coco/startExport";
import type { Schema } from "../db/schema";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./liveDataset";
import type { TaskTools } from "./tools";

/**
 * Writes a dataset as a COCO file and makes it an export. The file's name is the task's, and the row comes after the
 * file, so that a repeat writes the same file again and a row never lacks its file.
 */
export async function exportCoco(payload: Payload, tools: TaskHelpers & TaskTools): Promise<Json> {
  const { db, files, taskId, signal, progress, info } = tools;
  const known = await exportOf(db, taskId);
  if (known) return known;
  const filter = exportPayload.parse(payload);
  const dataset = await liveDataset(db, filter.dataset_id);
  info("Beginning Export (COCO Format)");
  let written: Exported = { images: 0, annotations: 0, categories: [] };
  const chunks = exportDataset(db, dataset, {
    categories: filter.categories,
    withEmptyImages: filter.with_empty_images,
    segmentation: filter.segmentation ?? undefined,
    signal,
    onProgress: progress,
    onEnd: (exported) => {
      written = exported;
    },
  });
  const file = `coco-${taskId}.json`;
  const { bytes } = await files.transfers.writeExport(file, chunks);
  info(`Done export ${written.annotations} annotations and ${written.images} images from ${dataset.name}`);
  await db
    .insertInto("exports")
    .values({
      dataset_id: dataset.id,
      task_id: taskId,
      file,
      bytes,
      tags: JSON.stringify(["COCO", ...written.categories]),
    })
    .onConflict((conflict) => conflict.column("task_id").doNothing())
    .execute();
  return (await exportOf(db, taskId)) ?? null;
}

async function exportOf(db: Kysely<Schema>, taskId: number): Promise<Json | undefined> {
  const row = await db.selectFrom("exports").select(["id", "bytes"]).where("task_id", "=", taskId).executeTakeFirst();
  return row && { export_id: row.id, bytes: row.bytes };
}
