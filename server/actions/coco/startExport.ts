import { createHash } from "node:crypto";
import { z } from "zod";
import { transaction } from "../../db/transaction";
import type { Person } from "../../permissions";
import { enqueue } from "../../queue/queue";
import type { Services } from "../../services";
import { ownedDataset } from "../access";
import type { Started } from "./startImport";

export const exportPayload = z.object({
  dataset_id: z.number(),
  categories: z.array(z.number()),
  with_empty_images: z.boolean(),
  segmentation: z.enum(["polygon"]).nullable(),
});
type Filter = Omit<z.infer<typeof exportPayload>, "dataset_id">;

export const NO_DOWNLOAD = "You do not have permission to download the dataset's annotations";

/** Puts an export in the queue. While one with the same filter is under way, answers with that task. */
export async function startExport(
  { db, wakeRunner }: Services,
  person: Person,
  datasetId: number,
  filter: Filter,
): Promise<Started> {
  const dataset = await ownedDataset(db, person, datasetId, NO_DOWNLOAD);
  const payload = {
    dataset_id: datasetId,
    ...filter,
    categories: [...new Set(filter.categories)].sort((a, b) => a - b),
  };
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "export",
      name: `Exporting ${dataset.name} into COCO format`,
      key: `export:${datasetId}:${hashOf(payload)}`,
      payload,
      creatorId: person.id,
      datasetId,
    }),
  );
  wakeRunner();
  return task;
}

const hashOf = (payload: object): string => createHash("sha256").update(JSON.stringify(payload)).digest("hex");
