import { conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { transaction } from "../../db/transaction";
import { enqueue } from "../../queue/queue";
import type { Services } from "../services";
import { importInBin } from "./inBin";

/** Puts the return of an undone import in the queue. Undoing has the same key: of the two one runs at a time. */
export async function rollBackImport({ db, wakeRunner }: Services, user: CurrentUser, id: number) {
  const { row, dataset } = await importInBin(db, user, id, "roll back");
  if (row.state === "complete") return {};
  const name = `Roll back import of ${row.file_name} into ${dataset.name}`;
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
