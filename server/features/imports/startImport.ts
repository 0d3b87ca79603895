import type { CurrentUser } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import { shown } from "../../files/paths/safePath";
import type { UploadedFile } from "../../middleware/readUpload";
import { enqueue } from "../../queue/queue";
import { visibleDataset } from "../access/access";
import type { Services } from "../services";
import type { FileFormat } from "./formats/fileFormat";
import type { Pixels } from "./match/matchImages";
import { requireImportable } from "./requireImportable";

export interface Started {
  id: number;
  name: string;
}

/** An uploaded file that was taken over, to be imported. */
export interface KeptFile {
  upload: string;
  /** Equal hashes mean equal bytes. */
  hash: string;
  /** As the user named it. */
  name: string;
  format: FileFormat;
}

/**
 * Takes an uploaded file of annotations over and puts its import in the queue. While the same file is being imported
 * into the same dataset, returns that task. Throws 400 for what cannot be imported.
 */
export async function startImport(
  services: Services,
  user: CurrentUser,
  datasetId: number,
  uploaded: UploadedFile,
  pixels?: Pixels,
): Promise<Started> {
  const dataset = await visibleDataset(services.db, user, datasetId);
  return withFile(services, uploaded, (file) => enqueueImport(services, user, dataset, file, pixels));
}

/** Takes a file over for a task. It is removed where that is not needed: one like it is queued already, or none was. */
export async function withFile(
  { files: { transfers }, wakeRunner }: Services,
  uploaded: UploadedFile,
  queue: (file: KeptFile) => Promise<Started & { existing: boolean }>,
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

/** The import's row and its task, in one transaction. The caller wakes the runner. */
export function enqueueImport(
  { db }: Services,
  user: CurrentUser,
  dataset: { id: number; name: string },
  { upload, hash, name, format }: KeptFile,
  pixels: Pixels | undefined,
): Promise<Started & { existing: boolean }> {
  return transaction(db, async (trx) => {
    const row = await trx
      .insertInto("imports")
      .values({ dataset_id: dataset.id, user_id: user.id, file_name: name })
      .returning("id")
      .executeTakeFirstOrThrow();
    const task = await enqueue(trx, {
      kind: "import",
      name: `Import ${format} format into ${dataset.name}`,
      key: `import:${dataset.id}:${hash}`,
      payload: { import_id: row.id, upload, format, ...(pixels && { pixels }) },
      creatorId: user.id,
      datasetId: dataset.id,
    });
    if (task.existing) await trx.deleteFrom("imports").where("id", "=", row.id).execute();
    else await trx.updateTable("imports").set({ task_id: task.id }).where("id", "=", row.id).execute();
    return task;
  });
}

const nameOf = ({ name }: UploadedFile): string => shown(name).replaceAll("\u0000", "").slice(0, 255);
