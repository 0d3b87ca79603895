import { sql } from "kysely";
import type { Json } from "../../../shared/entities/scalars";
import type { TaskHelpers } from "../../queue/task";
import { PAGE_ROWS } from "../coco/annotationPages";

/**
 * Removes an import that was deleted for good: the annotations that undoing took, and its own row. What a hand has
 * changed or deleted stays where it is. A kill does no harm: it goes on.
 */
export async function purgeImport({ db, signal, info }: TaskHelpers, id: number): Promise<Json> {
  const row = await db
    .selectFrom("imports")
    .select("id")
    .where("id", "=", id)
    .where("purged_at", "is not", null)
    .executeTakeFirst();
  if (!row) return { annotations: 0 };
  let removed = 0;
  for (let last = PAGE_ROWS; last === PAGE_ROWS; removed += last) {
    signal.throwIfAborted();
    const { numAffectedRows } = await sql`
      delete from annotations where id in (
        select id from annotations
        where import_id = ${id} and deleted_at is not null and revision = import_revision limit ${PAGE_ROWS})`.execute(
      db,
    );
    last = Number(numAffectedRows);
  }
  await db.deleteFrom("imports").where("id", "=", id).execute();
  info(`${removed} annotations deleted`);
  return { annotations: removed };
}
