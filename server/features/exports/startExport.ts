import { createHash } from "node:crypto";
import { EXPORT_FORMATS } from "../../../shared/entities/export";
import { folderPath } from "../../../shared/rules/folders";
import type { CurrentUser } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import { enqueue, type Started } from "../../queue/queue";
import { managedDataset } from "../access/access";
import type { Services } from "../services";
import type { ExportFilter } from "./exportFilter";

export const NO_DOWNLOAD = "You do not have permission to download the dataset's annotations";

/** Options of a requested export. By default, all categories and folders are written as one COCO file. */
export type RequestedExport = Partial<ExportFilter>;

const DEFAULT_SEED = "0";

/** Queues an export. Returns the existing task if one with the same options is queued or running. */
export async function startExport(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  datasetId: number,
  requested: RequestedExport,
): Promise<Started> {
  const dataset = await managedDataset(db, user, datasetId, NO_DOWNLOAD);
  const payload = { dataset_id: datasetId, ...filterOf(requested) };
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "export",
      name: `Exporting ${dataset.name} in the format ${EXPORT_FORMATS[payload.format]}`,
      key: `export:${datasetId}:${hashOf(payload)}`,
      payload,
      creatorId: user.id,
      datasetId,
    }),
  );
  wakeRunner();
  return task;
}

/** Normalizes the options, so that equal exports have equal filters. Options without effect are dropped. */
function filterOf(requested: RequestedExport): ExportFilter {
  const format = requested.format ?? "coco";
  const sum = requested.split?.reduce((a, b) => a + b, 0) ?? 0;
  const split = requested.split && sum > 0 ? requested.split : null;
  return {
    categories: [...new Set(requested.categories)].sort((a, b) => a - b),
    with_empty_images: requested.with_empty_images ?? false,
    only_accepted: requested.only_accepted ?? false,
    segmentation: format === "coco" ? (requested.segmentation ?? null) : null,
    format,
    folder: folderPath(requested.folder ?? ""),
    with_images: requested.with_images ?? false,
    split: split && (split.map((share) => (100 * share) / sum) as [number, number, number]),
    seed: split ? requested.seed || DEFAULT_SEED : "",
  };
}

const hashOf = (payload: object): string => createHash("sha256").update(JSON.stringify(payload)).digest("hex");
