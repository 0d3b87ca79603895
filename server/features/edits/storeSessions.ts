import { sql, type Transaction } from "kysely";
import type { WorkSession } from "../../../shared/edits/edit";
import type { CurrentUser } from "../../base/permissions";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { datasetsEditedBy } from "../access/access";

const DAY_MS = 86_400_000;

/**
 * Stores work sessions, each only once even if sent repeatedly. Adds the time of a session to its annotation or, if it
 * has none, to its image. (The time of an image already includes the time spent on its annotations.) Ignores sessions
 * on images that the user may not change, and adds no time to missing annotations. A start in the future is limited to
 * one day ahead. The caller must have locked the images' rows.
 */
export async function storeSessions(
  trx: Transaction<Schema>,
  user: CurrentUser,
  sessions: readonly WorkSession[],
): Promise<void> {
  if (sessions.length === 0) return;
  const rows = sessions.map((session) => ({ ...session, start: Math.min(session.start, Date.now() + DAY_MS) }));
  const images = trx
    .selectFrom("images")
    .select("id")
    .where(isLiveImage())
    .where("dataset_id", "in", datasetsEditedBy(trx, user).select("datasets.id"));
  await sql`
    with fresh as (
      insert into work_sessions (uuid, user_id, image_id, annotation_uuid, started_at, milliseconds, tools)
      select distinct on (uuid) uuid, ${user.id}::int, image_id, annotation_uuid, to_timestamp(start / 1000),
        milliseconds, tools
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(uuid uuid, image_id int, annotation_uuid uuid,
        start double precision, milliseconds int, tools jsonb)
      where image_id in (${images})
      on conflict (uuid) do nothing
      returning image_id, annotation_uuid, milliseconds
    ), worked as (
      update annotations a set milliseconds = a.milliseconds + s.milliseconds
      from (
        select image_id, annotation_uuid, sum(milliseconds) as milliseconds from fresh
        where annotation_uuid is not null group by 1, 2
      ) s
      where a.uuid = s.annotation_uuid and a.image_id = s.image_id
    )
    update images i set milliseconds = i.milliseconds + s.milliseconds
    from (
      select image_id, sum(milliseconds) as milliseconds from fresh where annotation_uuid is null group by 1
    ) s
    where i.id = s.image_id`.execute(trx);
}
