import { type Kysely, sql } from "kysely";
import { type AnnotationVersion, MAX_VERSIONS } from "../../../shared/api/history";
import { applyChange } from "../../../shared/edits/apply";
import type { Change } from "../../../shared/edits/edit";
import { fieldsIn } from "../../../shared/edits/fields";
import type { Annotation } from "../../../shared/entities/annotation";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { makePause } from "../../threads/makePause";
import { visibleImage } from "../access/access";

interface VersionRow {
  image_revision: number | null;
  revision: number;
  action: Change["action"];
  user_name: string;
  created_at: Date;
  bytes: number;
}

/** Most bytes of recorded values in a response, unless a single version is longer. */
const MAX_BYTES = 4_000_000;

/**
 * Returns the versions of an annotation, newest first: those before the image's revision `before`, or the newest ones.
 * Throws 404 if the user cannot see the image. An annotation without recorded changes has no versions.
 */
export async function annotationVersions(
  db: Kysely<Schema>,
  user: CurrentUser,
  { imageId, uuid, before }: { imageId: number; uuid: string; before?: number | undefined },
): Promise<{ versions: AnnotationVersion[]; older: number | null }> {
  await visibleImage(db, user, imageId);
  const top = before ?? 2_147_483_647;
  const { rows } = await sql<VersionRow>`
    select image_revision, revision, action, user_name, created_at, pg_column_size(fields)::float8 as bytes
    from edit_history where subject = 'annotation' and subject_id = ${uuid}::text and image_id = ${imageId}::int
      and (image_revision is null or image_revision < ${top}::int)
    order by revision desc limit ${MAX_VERSIONS + 1}::int`.execute(db);
  const shown = rows.slice(0, numberWithin(rows));
  const oldest = shown.at(-1);
  if (!oldest) return { versions: [], older: null };
  const { rows: changes } = await sql<{ revision: number; fields: Change["fields"] }>`
    select revision, fields from edit_history
    where subject = 'annotation' and subject_id = ${uuid}::text and revision = any(${shown.map((row) => row.revision)}::int[])`.execute(
    db,
  );
  const fieldsAt = new Map(changes.map(({ revision, fields }) => [revision, fields]));
  const pause = makePause();
  let now = await stateBefore(db, { imageId, uuid, revision: oldest.revision });
  const versions: AnnotationVersion[] = [];
  for (const row of shown.toReversed()) {
    const fields = fieldsAt.get(row.revision) ?? {};
    now = applyChange(now, changeOf(row, uuid, fields), imageId);
    versions.unshift({
      image_revision: row.image_revision,
      action: row.action,
      at: row.created_at.toISOString(),
      user: row.user_name,
      fields: row.action === "modify" ? fieldsIn("annotation", fields) : [],
      annotation: now ?? null,
    });
    await pause();
  }
  const hasOlder = rows.length > shown.length;
  return { versions, older: hasOlder ? oldest.image_revision : null };
}

function numberWithin(rows: readonly VersionRow[]): number {
  let bytes = 0;
  let count = 0;
  for (const row of rows.slice(0, MAX_VERSIONS)) {
    bytes += row.bytes;
    if (count > 0 && bytes > MAX_BYTES) break;
    count += 1;
  }
  return count;
}

const changeOf = (row: VersionRow, uuid: string, fields: Change["fields"]): Change => ({
  ...{ image_revision: row.image_revision ?? 0, subject: "annotation", subject_id: uuid, revision: row.revision },
  ...{ action: row.action, fields, edit: null, client: null, user: row.user_name },
});

/** Returns an annotation before one of its recorded changes; undefined if it did not exist or is no longer known. */
async function stateBefore(
  db: Kysely<Schema>,
  { imageId, uuid, revision }: { imageId: number; uuid: string; revision: number },
): Promise<Annotation | undefined> {
  const { rows } = await sql<{ revision: number; action: Change["action"]; fields: Change["fields"] }>`
    with start as (
      select max(revision) as revision from edit_history
      where subject = 'annotation' and subject_id = ${uuid}::text and revision < ${revision}::int and action <> 'modify'
    ), newest as (
      select distinct on (k.key) k.key, h.id from edit_history h cross join lateral json_object_keys(h.fields) as k(key)
      where h.subject = 'annotation' and h.subject_id = ${uuid}::text and h.revision < ${revision}::int
        and h.revision >= (select start.revision from start)
      order by k.key, h.revision desc
    )
    select s.revision, s.action, (select json_object_agg(n.key, f.fields -> n.key) from newest n
      join edit_history f on f.id = n.id) as fields
    from edit_history s
    where s.subject = 'annotation' and s.subject_id = ${uuid}::text and s.revision = (select start.revision from start)`.execute(
    db,
  );
  const [start] = rows;
  if (start?.action !== "create") return undefined;
  const row = { image_revision: 0, revision: revision - 1, action: start.action, user_name: "" };
  return applyChange(undefined, changeOf({ ...row, created_at: new Date(0), bytes: 0 }, uuid, start.fields), imageId);
}
