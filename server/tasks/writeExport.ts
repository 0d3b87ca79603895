import type { Kysely } from "kysely";
import { EXPORT_FORMATS } from "../../shared/entities/export";
import type { Json } from "../../shared/entities/scalars";
import type { DatasetRow, Schema } from "../db/schema";
import { type Exported, exportDataset } from "../features/exports/coco/exportDataset";
import { type ExportFilter, exportPayload, exportTags, isZipped } from "../features/exports/exportFilter";
import { exportZip } from "../features/exports/exportZip";
import { imageFilter } from "../features/exports/survey";
import { Tally } from "../features/imports/read/importReport";
import { writeZip } from "../files/zip/zipWriter";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

type Tools = TaskHelpers & TaskTools;

/**
 * Writes a dataset to a file in the requested format and stores it as an export. The file is named after the task and
 * written before the row, so that a repeat writes the same file and a row always has its file.
 */
export async function writeExport(payload: Payload, tools: Tools): Promise<Json> {
  const { db, files, taskId, info } = tools;
  const known = await exportOf(db, taskId);
  if (known) return known;
  const { dataset_id, ...filter } = exportPayload.parse(payload);
  const dataset = await liveDataset(db, dataset_id);
  info(`Exporting in the format ${EXPORT_FORMATS[filter.format]}`);
  const skipped = new Tally(tools.warn);
  const written: Exported = { images: 0, annotations: 0, categories: [] };
  const file = `${filter.format}-${taskId}.${isZipped(filter) ? "zip" : "json"}`;
  const { bytes } = await files.transfers.writeExport(file, bytesOf(tools, dataset, filter, skipped, written));
  skipped.logRest();
  info(`Exported ${written.annotations} annotations and ${written.images} images from ${dataset.name}`);
  await db
    .insertInto("exports")
    .values({
      dataset_id: dataset.id,
      task_id: taskId,
      file,
      bytes,
      tags: JSON.stringify([...exportTags(filter), ...written.categories]),
    })
    .onConflict((conflict) => conflict.column("task_id").doNothing())
    .execute();
  return (await exportOf(db, taskId)) ?? null;
}

/** Yields the file piece by piece; `written` receives the counts. */
function bytesOf(
  { db, files: { images }, signal, progress: onProgress }: Tools,
  dataset: DatasetRow,
  filter: ExportFilter,
  skipped: Tally,
  written: Exported,
): AsyncIterable<string | Uint8Array> {
  if (isZipped(filter))
    return writeZip(exportZip({ db, images, dataset, filter, signal, onProgress, skipped }, written));
  return exportDataset(db, dataset, {
    ...imageFilter(filter),
    segmentation: filter.segmentation ?? undefined,
    signal,
    onProgress,
    onEnd: (exported) => Object.assign(written, exported),
  });
}

async function exportOf(db: Kysely<Schema>, taskId: number): Promise<Json | undefined> {
  const row = await db.selectFrom("exports").select(["id", "bytes"]).where("task_id", "=", taskId).executeTakeFirst();
  return row && { export_id: row.id, bytes: row.bytes };
}
