import { type Kysely, sql, type Transaction } from "kysely";
import { conflict, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { enqueue, requestCancel } from "../../queue/queue";
import { openUndo } from "../imports/undo/undoTasks";
import type { Services } from "../services";
import { datasetInTrash, importInTrash, requireDeleted, type TrashedEntry } from "./inTrash";
import type { StartedTask } from "./rollBack";

/**
 * Datasets and imports may have a million rows. So one small transaction decides on the deletion and hides them from
 * all users, and a task removes them. The task belongs to no dataset, since it would be deleted with the dataset.
 */
export type Purged = "dataset" | "import";

export async function startPurgeOfDataset(
  services: Services,
  user: CurrentUser,
  entry: TrashedEntry,
): Promise<StartedTask> {
  const { id } = entry;
  const { name, deleted_at } = await datasetInTrash(services.db, user, id, "delete");
  requireDeleted("dataset", deleted_at, entry);
  return start(services, user, { what: "dataset", id, name }, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select id from tasks where dataset_id = ${id} and state in ('queued', 'running')`.execute(trx);
    for (const task of rows) await requestCancel(trx, task.id);
    await purgeCopies(trx, id, user.id);
    return trx
      .updateTable("datasets")
      .set({ purged_at: new Date() })
      .where("id", "=", id)
      .where("deleted_at", "is not", null)
      .where("purged_at", "is", null)
      .returning("id")
      .executeTakeFirst();
  });
}

/** Deletes the copies of a dataset's images for good too. */
async function purgeCopies(trx: Transaction<Schema>, id: number, userId: number): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    update datasets set deleted_at = coalesce(deleted_at, now()), purged_at = now()
    where id in (select dataset_id from consensus_datasets where source_id = ${id}::integer) and purged_at is null
    returning id, name`.execute(trx);
  for (const copies of rows) await enqueuePurge(trx, { what: "dataset", ...copies }, userId);
}

export async function startPurgeOfImport(
  services: Services,
  user: CurrentUser,
  entry: TrashedEntry,
): Promise<StartedTask> {
  const { id } = entry;
  const { row } = await importInTrash(services.db, user, id, "delete");
  requireDeleted("import", row.undone_at, entry);
  return start(services, user, { what: "import", id, name: row.file_name }, async (trx) => {
    const locked = await trx.selectFrom("imports").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
    // The task would go on to change annotations that the deletion removes.
    if (locked && (await openUndo(trx, id)))
      throw conflict("This import is being undone or restored. Try again later.");
    return trx
      .updateTable("imports")
      .set({ purged_at: new Date() })
      .where("id", "=", id)
      .where("state", "=", "undone")
      .where("purged_at", "is", null)
      .returning("id")
      .executeTakeFirst();
  });
}

interface Subject {
  what: Purged;
  id: number;
  name: string;
}

async function start(
  { db, wakeRunner }: Services,
  user: CurrentUser,
  subject: Subject,
  hide: (trx: Transaction<Schema>) => Promise<{ id: number } | undefined>,
): Promise<StartedTask> {
  const task = await transaction(db, async (trx) => {
    if (!(await hide(trx))) throw notFound("Invalid id");
    return enqueuePurge(trx, subject, user.id);
  });
  wakeRunner();
  return { task: { id: task.id, name: task.name } };
}

function enqueuePurge(trx: Transaction<Schema>, { what, id, name }: Subject, creatorId: number | null) {
  return enqueue(trx, {
    kind: "purge",
    name: `Delete ${what} ${name} permanently`,
    key: `purge-${what}:${id}`,
    payload: { what, id },
    creatorId,
    datasetId: null,
  });
}

/** Starts a new task for each decided deletion whose task was cancelled or failed. Returns the number of tasks. */
export async function resumePurges(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<Subject>`
    select * from (
      select 'dataset' as what, id, name from datasets where purged_at is not null
      union all select 'import', id, file_name from imports where purged_at is not null) as decided
    where not exists (
      select from tasks t where t.key = 'purge-' || what || ':' || decided.id and t.state in ('queued', 'running'))
    order by what, id`.execute(db);
  for (const subject of rows) await transaction(db, (trx) => enqueuePurge(trx, subject, null));
  return rows.length;
}
