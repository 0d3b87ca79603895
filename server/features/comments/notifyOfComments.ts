import { type Kysely, sql } from "kysely";
import { log } from "../../base/log";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import type { Live } from "../../live/live";

/**
 * Notifies the users whom stored comments concern, other than their author, so that their pages count unread comments
 * again. Mentioned users, authors of the thread's comments, and users who have worked on the image.
 */
export async function notifyOfComments(
  { db, live }: { db: Kysely<Schema>; live: Pick<Live, "notifyComments"> },
  author: CurrentUser,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length === 0) return;
  try {
    const { rows } = await sql<{ id: number }>`
      with changed as (
        select image_id, coalesce(thread, uuid) as thread, mentions from comments where uuid = any(${uuids}::uuid[])
      )
      select unnest(mentions) as id from changed
      union select o.user_id from comments o join changed on o.uuid = changed.thread or o.thread = changed.thread
      union select a.creator_id from annotations a where a.image_id in (select image_id from changed)
      union select w.user_id from work_sessions w where w.image_id in (select image_id from changed)`.execute(db);
    live.notifyComments(rows.map(({ id }) => id).filter((id) => id !== null && id !== author.id));
  } catch (error) {
    // The comments are stored; the pages count them later.
    log.debug({ err: error }, "could not notify users of comments");
  }
}
