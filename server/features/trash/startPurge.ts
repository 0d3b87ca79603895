import { type Kysely, sql, type Transaction } from "kysely";
import { notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { enqueue, requestCancel } from "../../queue/queue";
import type { Services } from "../services";
import { datasetInBin, importInBin, requireDeleted } from "./inBin";
import type { Going } from "./rollBack";

/**
 * Datasets and imports may have a million rows: that they go for good is decided in one small transaction, which hides
 * them from everybody, and done by a task. The task belongs to no dataset, since it would go with it.
 */
export type Purged = "dataset" | "import";

export async function startPurgeOfDataset(services: Services, user: CurrentUser, id: number): Promise<Going> {
  const { name, deleted_at } = await datasetInBin(services.db, user, id, "delete");
  requireDeleted("dataset", deleted_at);
  return start(services, user, { what: "dataset", id, name }, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select id from tasks where dataset_id = ${id} and state in ('queued', 'running')`.execute(trx);
    for (const task of rows) await requestCancel(trx, task.id);
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

export async function startPurgeOfImport(services: Services, user: CurrentUser, id: number): Promise<Going> {
  const { row } = await importInBin(services.db, user, id, "delete");
  requireDeleted("import", row.undone_at);
  return start(services, user, { what: "import", id, name: row.file_name }, async (trx) =>
    trx
      .updateTable("imports")
      .set({ purged_at: new Date() })
      .where("id", "=", id)
      .where("state", "=", "undone")
      .where("purged_at", "is", null)
      .returning("id")
      .executeTakeFirst(),
  );
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
): Promise<Going> {
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

/** Resumes decided deletions that no task works on: the task was cancelled, or it failed. */
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
