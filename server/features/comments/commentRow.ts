import { sql } from "kysely";
import type { Comment } from "../../../shared/entities/comment";
import type { CommentRow } from "../../db/schema";

/** Columns of a comment that clients see. Times may be JSON. */
export type ShownComment = Omit<
  CommentRow,
  "id" | "image_id" | "mentions" | "user_id" | "created_at" | "edited_at" | "resolved_at" | "deleted_at"
> & { [time in "created_at" | "edited_at" | "resolved_at" | "deleted_at"]: Date | string | null };

/** SQL for these columns of the table `c`. */
export const shownColumns = sql.raw(
  [
    ...["uuid", "thread", "annotation_uuid", "box", "x", "y", "text", "user_name", "revision", "created_at"],
    ...["edited_at", "resolved_at", "resolved_by", "deleted_at"],
  ]
    .map((column) => `c.${column}`)
    .join(", "),
);

/** SQL condition for comments `c` that are shown: also the deleted first comment of a thread that has replies. */
export const isShown = sql<boolean>`(c.deleted_at is null or c.thread is null and exists (
  select from comments r where r.thread = c.uuid and r.deleted_at is null))`;

/** SQL condition for comments `c` that begin a thread that is not resolved. */
export const isOpenThread = sql<boolean>`(c.thread is null and c.resolved_at is null and ${isShown})`;

/** Returns a comment in the form that the API sends. */
export const commentOf = (row: ShownComment): Comment => ({
  uuid: row.uuid,
  thread: row.thread,
  x: row.x,
  y: row.y,
  annotation: row.annotation_uuid,
  box: row.box,
  text: row.deleted_at ? "" : row.text,
  resolved: row.resolved_at !== null,
  resolved_by: row.resolved_by,
  creator: row.user_name,
  created_at: isoOf(row.created_at) ?? "",
  edited_at: isoOf(row.edited_at),
  deleted: row.deleted_at !== null,
  revision: row.revision,
});

const isoOf = (time: Date | string | null): string | null => (time === null ? null : new Date(time).toISOString());
