import { type Kysely, sql } from "kysely";
import type { CommentEdit } from "../../../shared/edits/edit";
import { mentionsIn } from "../../../shared/rules/mentions";
import type { CommentRow, Schema } from "../../db/schema";
import { isOpenThread } from "./commentRow";

/** A comment in the snapshot of a batch. */
export interface CommentState {
  row: Omit<CommentRow, "id" | "mentions">;
  /** `made`: the row is new. `row`: a stored row has changed. */
  changed: { made?: boolean; row?: boolean };
}

/** Stored comments and annotations, as the planning of edits needs them. */
export interface StoredComments {
  /** The comments that the edits name, and the first comments of their threads; by uuid, including deleted ones. */
  comments: Map<string, CommentState>;
  /** Image ids of the annotations that new threads are about, by uuid. */
  anchors: Map<string, number>;
}

/** Reads the comments and annotations that edits name. The images are locked already. */
export async function loadComments(db: Kysely<Schema>, edits: readonly CommentEdit[]): Promise<StoredComments> {
  if (edits.length === 0) return { comments: new Map(), anchors: new Map() };
  const uuids = edits.flatMap(({ target, after: { thread } }) => (thread ? [target, thread] : [target]));
  const rows = await db
    .selectFrom("comments")
    .selectAll()
    .where("uuid", "=", sql<string>`any(${uuids}::uuid[])`)
    .execute();
  const comments = new Map(
    rows.map(({ id: _, mentions: __, ...row }): [string, CommentState] => [row.uuid, { row, changed: {} }]),
  );
  const named = edits.flatMap(({ after: { annotation } }) => annotation ?? []);
  if (named.length === 0) return { comments, anchors: new Map() };
  const annotations = await db
    .selectFrom("annotations")
    .select(["uuid", "image_id"])
    .where("uuid", "=", sql<string>`any(${named}::uuid[])`)
    .execute();
  return { comments, anchors: new Map(annotations.map(({ uuid, image_id }) => [uuid, image_id])) };
}

/** SQL for the ids of the users who may see the dataset of the image `x.image_id` and whose names are in `x.names`. */
const mentioned = sql`array(
  select u.id from users u join images i on i.id = x.image_id join datasets d on d.id = i.dataset_id
  where lower(u.username) in (select json_array_elements_text(x.names)) and (u.is_admin or u.id = d.owner_id
    or exists (select from dataset_members m where m.dataset_id = d.id and m.user_id = u.id)))`;

/** Writes the changed comments of a batch, and counts the open threads of their images again. */
export async function writeComments(db: Kysely<Schema>, states: Iterable<CommentState>): Promise<void> {
  const changed = [...states].filter(({ changed: { made, row } }) => made || row);
  if (changed.length === 0) return;
  const json = (rows: readonly CommentState[]) =>
    JSON.stringify(rows.map(({ row }) => ({ ...row, names: mentionsIn(row.text) })));
  const made = changed.filter((state) => state.changed.made);
  const columns = sql.raw(`uuid uuid, image_id int, thread uuid, annotation_uuid uuid, box jsonb, x double precision,
    y double precision, text text, names json, user_id int, user_name text, revision int, created_at timestamptz,
    edited_at timestamptz, resolved_at timestamptz, resolved_by text, deleted_at timestamptz`);
  if (made.length > 0)
    await sql`
      insert into comments (uuid, image_id, thread, annotation_uuid, box, x, y, text, mentions, user_id, user_name,
        revision, created_at, edited_at, resolved_at, resolved_by, deleted_at)
      select uuid, image_id, thread, annotation_uuid, box, x, y, text, ${mentioned}, user_id, user_name, revision,
        created_at, edited_at, resolved_at, resolved_by, deleted_at
      from json_to_recordset(${json(made)}::json) as x(${columns})`.execute(db);
  const others = changed.filter((state) => !state.changed.made);
  if (others.length > 0)
    await sql`
      update comments c set text = x.text, mentions = ${mentioned}, revision = x.revision, edited_at = x.edited_at,
        resolved_at = x.resolved_at, resolved_by = x.resolved_by, deleted_at = x.deleted_at
      from json_to_recordset(${json(others)}::json) as x(${columns}) where c.uuid = x.uuid`.execute(db);
  await recountThreads(db, [...new Set(changed.map(({ row }) => row.image_id))]);
}

/** SQL for the number of open threads of the image `i`. */
export const countOfOpenThreads = sql<number>`(
  select count(*) from comments c where c.image_id = i.id and ${isOpenThread})`;

/** Counts the open threads of images again. */
export async function recountThreads(db: Kysely<Schema>, imageIds: readonly number[]): Promise<void> {
  await sql`
    update images i set open_threads = ${countOfOpenThreads}
    where i.id = any(${imageIds}::int[])`.execute(db);
}
