import { type Kysely, sql } from "kysely";
import type { countUnreadComments } from "../../../shared/api/comments";
import type { OutputOf } from "../../../shared/api/protocol/call";
import type { CurrentUser } from "../../base/permissions";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { datasetsSeenBy } from "../access/access";
import { concerns, isUnread } from "./concerns";

/** Returns the number of unread comments that concern a user, in all and by dataset. */
export async function countUnread(
  db: Kysely<Schema>,
  user: CurrentUser,
): Promise<OutputOf<typeof countUnreadComments>> {
  const { rows } = await sql<{ id: number; unread: number }>`
    select images.dataset_id as id, count(*)::int as unread
    from comments c join images on images.id = c.image_id
    where ${isUnread(user.id)} and ${concerns(user.id)} and ${isLiveImage()}
      and images.dataset_id in (${datasetsSeenBy(db, user).select("datasets.id")})
    group by images.dataset_id order by images.dataset_id`.execute(db);
  return { unread: rows.reduce((sum, { unread }) => sum + unread, 0), datasets: rows };
}
