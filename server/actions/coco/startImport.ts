import { transaction } from "../../db/transaction";
import { badRequest } from "../../errors";
import { shown } from "../../files/safePath";
import type { Transfers } from "../../files/transfers";
import type { UploadedFile } from "../../middleware/readUpload";
import type { Person } from "../../permissions";
import { enqueue } from "../../queue/queue";
import type { Services } from "../../services";
import { visibleDataset } from "../access";

export interface Started {
  id: number;
  name: string;
}

/**
 * Takes an uploaded COCO file over and puts its import in the queue. While the same file is being imported into the same
 * dataset, answers with that task. Throws 400 for what cannot be a COCO file.
 */
export async function startImport(
  { db, files: { transfers }, wakeRunner }: Services,
  person: Person,
  datasetId: number,
  file: UploadedFile,
): Promise<Started> {
  const dataset = await visibleDataset(db, person, datasetId);
  const { key: upload, hash } = await transfers.keepUpload(file.path);
  try {
    await requireObject(transfers, upload);
    const task = await transaction(db, async (trx) => {
      const row = await trx
        .insertInto("imports")
        .values({ dataset_id: datasetId, user_id: person.id, file_name: nameOf(file) })
        .returning("id")
        .executeTakeFirstOrThrow();
      const task = await enqueue(trx, {
        kind: "import",
        name: `Import COCO format into ${dataset.name}`,
        key: `import:${datasetId}:${hash}`,
        payload: { import_id: row.id, upload },
        creatorId: person.id,
        datasetId,
      });
      if (task.existing) await trx.deleteFrom("imports").where("id", "=", row.id).execute();
      else await trx.updateTable("imports").set({ task_id: task.id }).where("id", "=", row.id).execute();
      return task;
    });
    if (task.existing) await transfers.removeUpload(upload);
    else wakeRunner();
    return task;
  } catch (error) {
    await transfers.removeUpload(upload);
    throw error;
  }
}

const nameOf = ({ name }: UploadedFile): string => shown(name).replaceAll("\u0000", "").slice(0, 255);

/** The first character that is no blank says whether the file can be a COCO file at all. */
async function requireObject(transfers: Transfers, upload: string): Promise<void> {
  let start = "";
  for await (const chunk of transfers.readUpload(upload)) {
    start = String(chunk)
      .replace(/^\ufeff/, "")
      .trimStart();
    if (start !== "") break;
  }
  if (start.startsWith("{")) return;
  const message = start === "" ? "The file is empty." : "This is not a COCO file: it is no JSON object.";
  throw badRequest(message, { coco: message });
}
