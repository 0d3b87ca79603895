import { type Kysely, sql } from "kysely";
import type { Schema } from "../../../db/schema";
import { type OldEvent, uuidFrom } from "../map/events";
import type { Users } from "./context";
import type { Source } from "./source";

/** Sessions of work on one image, or on one of its annotations. */
export interface WorkedOn {
  collection: string;
  key: string;
  imageId: number;
  annotationUuid: string | null;
  events: readonly OldEvent[];
}

const ROWS = 2_000;

/** Stores sessions of work. Their time is in the totals of the images and annotations already. */
export async function storeSessions(
  db: Kysely<Schema>,
  source: Source,
  users: Users,
  work: readonly WorkedOn[],
): Promise<void> {
  const rows = work.flatMap(({ collection, key, imageId, annotationUuid, events }) =>
    events.map((event, index) => ({
      uuid: uuidFrom(source.id, collection, key, "event", String(index)),
      user_id: users.maker(event.user)?.id ?? null,
      image_id: imageId,
      annotation_uuid: annotationUuid,
      started_at: event.startedAt.toISOString(),
      milliseconds: event.milliseconds,
      tools: event.tools,
    })),
  );
  for (let from = 0; from < rows.length; from += ROWS)
    await sql`
      insert into work_sessions (uuid, user_id, image_id, annotation_uuid, started_at, milliseconds, tools)
      select uuid, user_id, image_id, annotation_uuid, started_at, milliseconds, tools
      from json_to_recordset(${JSON.stringify(rows.slice(from, from + ROWS))}::json) as x(uuid uuid, user_id int,
        image_id int, annotation_uuid uuid, started_at timestamptz, milliseconds int, tools jsonb)
      on conflict (uuid) do nothing`.execute(db);
}
