import { type Kysely, sql } from "kysely";
import type { Change } from "../../../shared/edits/edit";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { visibleImage } from "../access/access";

/** More changes than these, and more bytes of them as they are stored, are read sooner by loading the image again. */
const MAX_CHANGES = 2_000;
const MAX_BYTES = 8_000_000;

/**
 * Returns the changes of an image after its revision `since`, in order. `reload`: that cannot be told (a mass write, history
 * that was pruned, too many or too long changes, or a revision that this server never gave), so the image must be loaded again.
 * Throws 404 for an image that the user does not see.
 */
export async function catchUp(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
  since: number,
): Promise<{ revision: number; reload: boolean; changes: Change[] }> {
  const { image } = await visibleImage(db, user, imageId);
  const { revision, reload_revision } = image;
  const from = Math.max(since, FIRST_REVISION);
  const reload = { revision, reload: true, changes: [] };
  if (since > revision || from < reload_revision || revision - from > MAX_CHANGES) return reload;
  const history = db
    .selectFrom("edit_history")
    .where("image_id", "=", imageId)
    .where("image_revision", ">", from)
    .where("image_revision", "<=", revision);
  const { bytes } = await history
    .select(sql<number>`coalesce(sum(pg_column_size(fields)), 0)::float8`.as("bytes"))
    .executeTakeFirstOrThrow();
  if (bytes > MAX_BYTES) return reload;
  const rows = await history.selectAll().orderBy("image_revision").execute();
  if (rows.length !== revision - from) return reload;
  const changes = rows.map((row) => ({
    image_revision: row.image_revision ?? 0,
    subject: row.subject,
    subject_id: row.subject_id,
    revision: row.revision,
    action: row.action,
    fields: row.fields,
    edit: row.edit,
    client: row.client,
    user: row.user_name,
  }));
  return { revision, reload: false, changes };
}

/** Of an image to which nothing has happened yet. */
const FIRST_REVISION = 1;
