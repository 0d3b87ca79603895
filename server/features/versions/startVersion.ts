import type { Transaction } from "kysely";
import { z } from "zod";
import { same } from "../../../shared/edits/same";
import { conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { enqueue, type Started } from "../../queue/queue";
import { managedDataset } from "../access/access";
import { NO_DOWNLOAD } from "../exports/startExport";
import type { Services } from "../services";

export const versionPayload = z.object({
  dataset_id: z.number(),
  name: z.string(),
  note: z.string(),
  creator_name: z.string(),
});

/**
 * Queues the task that keeps a dataset under a name. Returns the existing task if the user has sent the same before and
 * it is queued or running. Throws 409 if the dataset has another version of that name, or is getting one.
 */
export async function startVersion(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  datasetId: number,
  { name, note }: { name: string; note: string },
): Promise<Started> {
  const dataset = await managedDataset(db, user, datasetId, NO_DOWNLOAD);
  const known = await db
    .selectFrom("versions")
    .select("id")
    .where("dataset_id", "=", datasetId)
    .where("name", "=", name)
    .executeTakeFirst();
  if (known) throw conflict(TAKEN, { name: TAKEN });
  const payload = { dataset_id: datasetId, name, note, creator_name: user.username };
  const task = await transaction(db, async (trx) => {
    const queued = await enqueue(trx, {
      kind: "version",
      name: `Keeping ${dataset.name} as version ${name}`,
      key: `version:${datasetId}:${name}`,
      payload,
      creatorId: user.id,
      datasetId,
    });
    if (queued.existing) await requireSame(trx, queued.id, payload);
    return queued;
  });
  wakeRunner();
  return task;
}

/** Throws 409 if a task keeps the dataset for another user, or with another note. */
async function requireSame(trx: Transaction<Schema>, taskId: number, payload: z.infer<typeof versionPayload>) {
  const open = await trx.selectFrom("tasks").select("payload").where("id", "=", taskId).executeTakeFirstOrThrow();
  if (!same(open.payload, payload)) throw conflict(TAKEN, { name: TAKEN });
}

export const TAKEN = "The dataset has a version of this name.";
