import type { Transaction } from "kysely";
import { conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { shown } from "../../files/paths/safePath";
import type { UploadedFile } from "../../middleware/readUpload";
import { enqueue, type Started } from "../../queue/queue";
import { editableDataset } from "../access/access";
import type { Services } from "../services";
import type { FileFormat } from "./formats/fileFormat";
import type { Pixels } from "./match/matchImages";
import { requireImportable } from "./requireImportable";
import { importPayload } from "./store/importRow";

/** An uploaded file that is kept for its import. */
export interface KeptFile {
  upload: string;
  /** Equal hashes mean equal bytes. */
  hash: string;
  /** File name on the user's device. */
  name: string;
  format: FileFormat;
}

/**
 * Keeps an uploaded file of annotations and queues its import. Returns the existing task if the same file is already
 * being imported into the dataset. Throws 400 if the file cannot be imported, and 409 if the existing task has another
 * choice of pixels.
 */
export async function startImport(
  services: Services,
  user: CurrentUser,
  datasetId: number,
  uploaded: UploadedFile,
  pixels?: Pixels,
): Promise<Started> {
  const dataset = await editableDataset(services.db, user, datasetId);
  return withFile(services, uploaded, (file) => enqueueImport(services, user, dataset, file, pixels));
}

/** Keeps an uploaded file for a task. Removes it if queueing fails or an equal task already exists. */
export async function withFile(
  { files: { transfers }, wakeRunner }: Services,
  uploaded: UploadedFile,
  queue: (file: KeptFile) => Promise<Started>,
): Promise<Started> {
  const { key: upload, hash } = await transfers.keepUpload(uploaded.path);
  try {
    const format = await requireImportable(transfers, upload);
    const task = await queue({ upload, hash, name: nameOf(uploaded), format });
    if (task.existing) await transfers.removeUpload(upload);
    else wakeRunner();
    return task;
  } catch (error) {
    await transfers.removeUpload(upload);
    throw error;
  }
}

/**
 * Inserts an import's row and its task in one transaction. The caller must wake the runner. Throws 409 if the same file
 * is already being imported with another choice of pixels.
 */
export function enqueueImport(
  { db }: Services,
  user: CurrentUser,
  dataset: { id: number; name: string },
  { upload, hash, name, format }: KeptFile,
  pixels: Pixels | undefined,
): Promise<Started> {
  return transaction(db, async (trx) => {
    const row = await trx
      .insertInto("imports")
      .values({ dataset_id: dataset.id, user_id: user.id, file_name: name })
      .returning("id")
      .executeTakeFirstOrThrow();
    const task = await enqueue(trx, {
      kind: "import",
      name: `Importing annotations in the format ${format} into ${dataset.name}`,
      key: `import:${dataset.id}:${hash}`,
      payload: { import_id: row.id, upload, format, ...(pixels && { pixels }) },
      creatorId: user.id,
      datasetId: dataset.id,
    });
    if (task.existing) {
      await requirePixels(trx, task.id, pixels);
      await trx.deleteFrom("imports").where("id", "=", row.id).execute();
    } else await trx.updateTable("imports").set({ task_id: task.id }).where("id", "=", row.id).execute();
    return task;
  });
}

/** Throws 409 if a task imports its file with another choice of pixels, which would store other annotations. */
async function requirePixels(trx: Transaction<Schema>, taskId: number, chosen: Pixels | undefined): Promise<void> {
  const { payload } = await trx
    .selectFrom("tasks")
    .select("payload")
    .where("id", "=", taskId)
    .executeTakeFirstOrThrow();
  const { pixels } = importPayload.parse(payload);
  // Without a choice, annotations are stored as for upright pixels.
  if ((pixels ?? "upright") !== (chosen ?? "upright"))
    throw conflict(
      "This file is being imported with another choice of pixels. Wait for that import, and undo it before you import the file again.",
    );
}

const nameOf = ({ name }: UploadedFile): string => shown(name).replaceAll("\u0000", "").slice(0, 255);
