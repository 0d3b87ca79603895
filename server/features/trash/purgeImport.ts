import { sql } from "kysely";
import type { Json } from "../../../shared/entities/scalars";
import { Pace } from "../../db/pace";
import type { TaskHelpers } from "../../queue/task";
import { PAGE_ROWS } from "../annotations/rows/annotationPages";

/**
 * Removes an import that was deleted for good: the annotations that undoing it deleted, and its own row. Annotations
 * that a user changed or deleted stay. Continues after a crash.
 */
export async function purgeImport({ db, signal, info }: TaskHelpers, id: number): Promise<Json> {
  const row = await db
    .selectFrom("imports")
    .select("id")
    .where("id", "=", id)
    .where("purged_at", "is not", null)
    .executeTakeFirst();
  if (!row) return { annotations: 0 };
  const pace = new Pace({ first: 200, least: 50, most: PAGE_ROWS });
  let removed = 0;
  for (let isMore = true; isMore; ) {
    signal.throwIfAborted();
    const rows = pace.amount;
    const { numAffectedRows } = await pace.run(db, rows, (one) =>
      sql`
        delete from annotations where id in (
          select id from annotations
          where import_id = ${id} and deleted_at is not null and revision = import_revision limit ${rows})`.execute(
        one,
      ),
    );
    removed += Number(numAffectedRows);
    isMore = Number(numAffectedRows) === rows;
  }
  await db.deleteFrom("imports").where("id", "=", id).execute();
  info(`${removed} annotations deleted`);
  return { annotations: removed };
}
