import type { CurrentUser } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import { enqueueUndo } from "../imports/undo/undoTasks";
import type { Services } from "../services";
import { importInTrash } from "./inTrash";

/** Enqueues the task that restores an undone import. Throws 409 while the import is still being undone. */
export async function rollBackImport({ db, wakeRunner }: Services, user: CurrentUser, id: number) {
  const { row, dataset } = await importInTrash(db, user, id, "roll back");
  if (row.state === "complete") return {};
  const name = `Restore import of ${row.file_name} into ${dataset.name}`;
  const task = await transaction(db, (trx) =>
    enqueueUndo(trx, { kind: "redoImport", name, importId: id, userId: user.id, datasetId: dataset.id }),
  );
  wakeRunner();
  return { task: { id: task.id, name: task.name } };
}
