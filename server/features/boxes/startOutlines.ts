import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { countBoxes as countCall, outlineBoxes } from "../../../shared/api/datasets/boxes";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { same } from "../../../shared/edits/same";
import { conflict, forbidden, HttpError } from "../../base/errors";
import { type CurrentUser, mayManage } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { enqueue } from "../../queue/queue";
import type { Payload } from "../../queue/task";
import type { DatasetAccess } from "../access/access";
import { selectImages } from "../bulk/selectImages";
import type { Services } from "../services";
import { listChanges } from "./boxesBefore";
import { type BoxSelection, withPresentBoxes } from "./selectBoxes";

const payloadOf = z.record(z.string(), z.unknown());

type Which = BodyOf<typeof countCall>;

/** Resolves the boxes that a call selects. The images that match a filter are found once, here. */
export async function selectedBoxes(db: Kysely<Schema>, datasetId: number, which: Which): Promise<BoxSelection> {
  const images = await selectImages(db, datasetId, which);
  if ("ids" in images || "ranges" in images)
    return { dataset_id: datasetId, images, categories: which.categories ?? null };
  throw new Error("The images were not resolved.");
}

/**
 * Queues the outlining of the boxes that are there now. Throws 409 if their number is not `boxes`. The caller must have
 * checked that the user may change the dataset.
 */
export async function startOutlines(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  dataset: DatasetAccess,
  { boxes, ...which }: BodyOf<typeof outlineBoxes>,
) {
  const { selection, count } = await withPresentBoxes(db, await selectedBoxes(db, dataset.id, which));
  if (boxes !== undefined) requireNumber(count, boxes);
  return startTask({ db, wakeRunner }, user, dataset, {
    kind: "outlineBoxes",
    name: `Outlining boxes of ${dataset.name}`,
    payload: { change: randomUUID(), person_id: user.id, selection: { ...selection } },
    subject: "selection",
  });
}

function requireNumber(found: number, expected: number): void {
  if (found !== expected)
    throw new HttpError(
      409,
      `The boxes have changed since they were counted: there are ${found} now, not ${expected}. Nothing was changed. Try again with the new number.`,
      { code: "total_changed", facts: { total: found } },
    );
}

/**
 * Queues the undo of a change. Throws 409 if the change is not recorded, and 403 unless the user made the change, or
 * may manage the dataset.
 */
export async function startRestore(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  dataset: DatasetAccess,
  undo: string,
) {
  const change = (await listChanges(db, dataset.id)).find((each) => each.undo === undo);
  if (!change) throw conflict("There is nothing to undo any more.");
  if (!mayManage(user, dataset) && change.person_id !== user.id)
    throw forbidden("You do not have permission to undo this change");
  return startTask({ db, wakeRunner }, user, dataset, {
    kind: "restoreBoxes",
    name: `Restoring boxes of ${dataset.name}`,
    payload: { change: undo, dataset_id: dataset.id, person_id: user.id },
    subject: "change",
  });
}

interface BoxTask {
  kind: "outlineBoxes" | "restoreBoxes";
  name: string;
  payload: Payload;
  /** Field of the payload in which two equal tasks agree. */
  subject: string;
}

/**
 * Queues a task, one at a time in a dataset, because two would change the same boxes. Returns an equal task that is
 * queued or running already. Throws 409 if it is another, which does not do what the user asked for.
 */
async function startTask(
  { db, wakeRunner }: Pick<Services, "db" | "wakeRunner">,
  user: CurrentUser,
  dataset: DatasetAccess,
  { kind, name, payload, subject }: BoxTask,
) {
  const task = await transaction(db, async (trx) => {
    const key = `boxes:${dataset.id}`;
    const found = await enqueue(trx, { kind, name, key, payload, creatorId: user.id, datasetId: dataset.id });
    if (!found.existing) return found;
    const open = await trx
      .selectFrom("tasks")
      .select(["kind", "payload"])
      .where("id", "=", found.id)
      .executeTakeFirstOrThrow();
    if (open.kind === kind && same(payloadOf.parse(open.payload)[subject], payload[subject])) return found;
    throw conflict("The boxes of this dataset are being changed. Try again when that task has ended.");
  });
  wakeRunner();
  return task;
}
