import { conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import { enqueue } from "../../queue/queue";
import type { Services } from "../services";
import { importInTrash } from "./inTrash";

/**
 * Enqueues the task that restores an undone import. Undoing has the same task key, so only one of the two runs at a
 * time.
 */
export async function rollBackImport({ db, wakeRunner }: Services, user: CurrentUser, id: number) {
  const { row, dataset } = await importInTrash(db, user, id, "roll back");
  if (row.state === "complete") return {};
  const name = `Restore import of ${row.file_name} into ${dataset.name}`;
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: "redoImport",
      name,
      key: `undo-import:${id}`,
      payload: { import_id: id, user_id: user.id },
      creatorId: user.id,
      datasetId: dataset.id,
    }),
  );
  if (task.name !== name) throw conflict("This import is still being undone.");
  wakeRunner();
  return { task: { id: task.id, name: task.name } };
}
