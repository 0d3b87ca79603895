import { conflict, notFound, readOnly } from "../../base/errors";
import { type CurrentUser, mayEdit } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import type { UploadedFile } from "../../middleware/readUpload";
import { enqueue, type Started } from "../../queue/queue";
import { editableDataset, visibleDataset } from "../access/access";
import type { Services } from "../services";
import { dryRunPayload } from "./dryRunImport";
import type { Pixels } from "./match/matchImages";
import { enqueueImport, withFile } from "./startImport";
import { tidyUploads } from "./tidyTransfers";

/** Keeps an uploaded file of annotations and queues a dry run of its import. Throws 400 if it cannot be imported. */
export async function startDryRun(
  services: Services,
  user: CurrentUser,
  datasetId: number,
  uploaded: UploadedFile,
  pixels?: Pixels,
): Promise<Started> {
  const { db, files } = services;
  const dataset = await editableDataset(db, user, datasetId);
  await tidyUploads(db, files);
  return withFile(services, uploaded, ({ upload, hash, name, format }) =>
    transaction(db, (trx) =>
      enqueue(trx, {
        kind: "previewImport",
        name: `Dry run of the import of ${name} into ${dataset.name}`,
        // The categories that would be created depend on the user.
        key: `preview-import:${datasetId}:${user.id}:${hash}:${pixels ?? ""}`,
        payload: {
          dataset_id: datasetId,
          user_id: user.id,
          file_name: name,
          upload,
          hash,
          format,
          ...(pixels && { pixels }),
        },
        creatorId: user.id,
        datasetId,
      }),
    ),
  );
}

/**
 * Queues the import of a dry run's file, for the user who made the dry run, without sending the file again. `pixels`:
 * the user's choice after reading the dry run's report. Throws 404, and 409 if the dry run has not finished
 * successfully or the file is gone.
 */
export async function importAfterDryRun(
  services: Services,
  user: CurrentUser,
  datasetId: number,
  taskId: number,
  pixels?: Pixels,
): Promise<Started> {
  const { db, files, wakeRunner } = services;
  const dataset = await visibleDataset(db, user, datasetId);
  const row = await db
    .selectFrom("tasks")
    .select(["state", "payload"])
    .where("id", "=", taskId)
    .where("kind", "=", "previewImport")
    .where("dataset_id", "=", datasetId)
    .$if(!user.anonymous, (query) => query.where("creator_id", "=", user.id))
    .executeTakeFirst();
  if (!row) throw notFound("Invalid dry run id");
  if (!mayEdit(user, dataset)) throw readOnly();
  if (row.state !== "done") throw conflict("The dry run has not finished successfully. Start it again or wait for it.");
  const { upload, hash, file_name: name, format, pixels: asked } = dryRunPayload.parse(row.payload);
  if (!(await files.transfers.uploadBytes(upload)))
    throw conflict("The file is no longer available. Please send it again.");
  const task = await enqueueImport(services, user, dataset, { upload, hash, name, format }, pixels ?? asked);
  wakeRunner();
  return task;
}
