import { type Kysely, sql } from "kysely";
import type { Change } from "../../../shared/edits/edit";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { visibleImage } from "../access/access";

/** Limits of a catch-up, in changes and stored bytes. Beyond them, reloading the image is faster. */
const MAX_CHANGES = 2_000;
const MAX_BYTES = 8_000_000;

/**
 * Returns the changes of an image after its revision `since`, in order. `reload` is true if the changes are not
 * available and the image must be reloaded: after a bulk write or a pruned history, for too many or too large changes,
 * or for a revision that this server never issued. Changes of comments are left out unless `withComments`. Throws 404
 * if the user cannot see the image.
 */
export async function catchUp(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
  since: number,
  withComments = false,
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
  const shown = withComments ? rows : rows.filter(({ subject }) => subject !== "comment");
  const changes = shown.map((row) => ({
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

/** Revision of an image without any changes. */
const FIRST_REVISION = 1;
