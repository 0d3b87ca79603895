import type { Comment, CommentFields } from "../entities/comment";
import type { Change, CommentEdit } from "./edit";

/** User and time of an edit, as a comment shows them. */
export interface Made {
  user: string;
  at: string;
}

const BLANK: Omit<Comment, "uuid" | "creator" | "created_at"> = {
  ...{ thread: null, x: null, y: null, annotation: null, box: null, text: "", resolved: false, resolved_by: null },
  ...{ edited_at: null, deleted: false, revision: 0 },
};

/**
 * Returns a comment after an edit; undefined if there is none. A deleted comment remains, with an empty text, because
 * replies may remain in its thread.
 */
export function applyCommentEdit(comment: Comment | undefined, edit: CommentEdit, made: Made): Comment | undefined {
  if (edit.action === "delete") return comment && { ...comment, text: "", deleted: true };
  if (edit.action === "create") {
    const known = comment ?? { ...BLANK, uuid: edit.target, creator: made.user, created_at: made.at };
    return { ...known, ...edit.after, deleted: false };
  }
  return comment && { ...comment, ...edit.after, ...consequences(edit.after, made) };
}

/**
 * Returns a comment after a stored change. A change that the comment already has, by its revision, does nothing. Fields
 * in `keep` stay.
 */
export function applyCommentChange(
  comment: Comment | undefined,
  change: Change,
  keep: ReadonlySet<string> = new Set(),
): Comment | undefined {
  if (comment && change.revision <= comment.revision) return comment;
  const { action, revision } = change;
  if (action === "delete") return comment && { ...comment, text: "", deleted: true, revision };
  if (action === "modify" && !comment) return undefined;
  const fields = Object.fromEntries(Object.entries(change.fields).filter(([field]) => !keep.has(field)));
  const known = comment ?? { ...BLANK, uuid: change.subject_id, creator: change.user, created_at: "" };
  const deleted = action === "modify" && known.deleted;
  return { ...known, ...(fields as Partial<Comment>), deleted, revision };
}

/** Returns the fields that follow from a modification. */
function consequences(after: Partial<CommentFields>, { user, at }: Made): Partial<Comment> {
  return {
    ...(after.text !== undefined && { edited_at: at }),
    ...(after.resolved !== undefined && { resolved_by: after.resolved ? user : null }),
  };
}
