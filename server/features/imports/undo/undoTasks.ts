import { type Kysely, sql, type Transaction } from "kysely";
import { conflict, notFound } from "../../../base/errors";
import type { Schema } from "../../../db/schema";
import { enqueue, type Started } from "../../../queue/queue";

/** Undoing and restoring an import have the same task key, so only one of the two runs at a time. */
const keyOf = (importId: number): string => `undo-import:${importId}`;

interface UndoTask {
  kind: "undoImport" | "redoImport";
  name: string;
  importId: number;
  userId: number;
  datasetId: number;
}

const OTHER_RUNS = {
  undoImport: "This import is being restored.",
  redoImport: "This import is still being undone.",
};

/**
 * Queues the undo or the restoring of an import, or returns the task that does the same. Throws 409 while the other one
 * is queued or running, and 404 if the import was deleted for good in the meantime.
 */
export async function enqueueUndo(
  trx: Transaction<Schema>,
  { kind, name, importId, userId, datasetId }: UndoTask,
): Promise<Started> {
  const payload = { import_id: importId, user_id: userId };
  const task = await enqueue(trx, { kind, name, key: keyOf(importId), payload, creatorId: userId, datasetId });
  if (task.existing && (await openUndo(trx, importId)) !== kind) throw conflict(OTHER_RUNS[kind]);
  const { rows } = await sql`
    select from imports where id = ${importId}::integer and purged_at is null for share`.execute(trx);
  if (rows.length === 0) throw notFound("Invalid import id");
  return task;
}

/** Returns the kind of the task that undoes or restores an import; undefined if none is queued or running. */
export async function openUndo(db: Kysely<Schema>, importId: number): Promise<string | undefined> {
  const task = await db
    .selectFrom("tasks")
    .select("kind")
    .where("key", "=", keyOf(importId))
    .where("state", "in", ["queued", "running"])
    .executeTakeFirst();
  return task?.kind;
}
