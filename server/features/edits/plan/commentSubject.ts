import type { Comment } from "../../../../shared/entities/comment";
import type { Json } from "../../../../shared/entities/scalars";
import { isOwner } from "../../../base/permissions";
import type { ServerEditOf } from "../../annotations/rows/serverEdit";
import { commentOf } from "../../comments/commentRow";
import type { CommentState } from "../../comments/storedComments";
import type { Author } from "./author";
import { absentAnnotation, absentComment, Refusal } from "./plan";
import type { ImageState, Snapshot } from "./snapshot";
import type { PlannedSubject } from "./subject";

type CommentEdit = ServerEditOf<"comment">;
type Fields = { [key: string]: Json } | undefined;

/**
 * Edits of comments never conflict: only the author changes the text, and a thread is resolved or not. The last edit of
 * each field counts.
 */
export const commentSubject: PlannedSubject<"comment"> = {
  categoriesFor: () => ({ read: [], locked: [] }),

  laterOf: () => undefined,

  plan(edit, image, snapshot, author) {
    const known = snapshot.comments.get(edit.target);
    if (known && known.row.image_id !== image.id) throw absentComment();
    const state = known ?? newComment(edit, image, snapshot, author);
    const fields = known ? change(edit, known, image, author) : fieldsOf(state);
    const { revision } = state.row;
    const isSeen = known !== undefined && edit.action === "create" && !fields;
    return {
      ...{ action: edit.action, fields, raise: () => ++state.row.revision, revision, categoryId: 0 },
      ...(isSeen && { seen: true }),
    };
  },
};

function newComment(edit: CommentEdit, image: ImageState, snapshot: Snapshot, author: Author): CommentState {
  const { after, action } = edit;
  if (action !== "create") throw absentComment();
  if (after.text === undefined) throw new Refusal("A comment needs a text.");
  const thread = after.thread ?? null;
  if (thread !== null) requireThread(thread, image, snapshot);
  const state: CommentState = {
    row: {
      uuid: edit.target,
      image_id: image.id,
      thread,
      ...(thread === null ? placeOf(edit, image, snapshot) : { x: null, y: null, annotation_uuid: null, box: null }),
      text: after.text,
      user_id: author.user.id,
      user_name: author.user.username,
      revision: 0,
      created_at: new Date(),
      edited_at: null,
      resolved_at: null,
      resolved_by: null,
      deleted_at: null,
    },
    changed: { made: true },
  };
  snapshot.comments.set(edit.target, state);
  return state;
}

function requireThread(thread: string, image: ImageState, { comments }: Snapshot): void {
  const first = comments.get(thread)?.row;
  if (!first || first.image_id !== image.id || first.thread !== null)
    throw new Refusal("This thread does not exist in this image.", { code: "not_found", revision: 0 });
}

/**
 * Returns the place of a new thread, which lies in the image. An annotation that the server does not have may arrive
 * later; one of another image is refused.
 */
function placeOf({ after }: CommentEdit, image: ImageState, { annotations, anchors }: Snapshot) {
  const { x, y, annotation = null, box = null } = after;
  if (x == null || y == null) throw new Refusal("A comment needs a place.");
  const home = annotation && (annotations.get(annotation)?.row.image_id ?? anchors.get(annotation));
  if (home != null && home !== image.id) throw absentAnnotation();
  return {
    x: Math.min(Math.max(x, 0), image.width),
    y: Math.min(Math.max(y, 0), image.height),
    annotation_uuid: annotation,
    box: annotation ? box : null,
  };
}

/** Applies an edit to a stored comment, and returns the changed fields; undefined if nothing changes. */
function change(edit: CommentEdit, state: CommentState, image: ImageState, author: Author): Fields {
  const { row } = state;
  const isAuthor = author.user.anonymous || row.user_id === author.user.id;
  if (edit.action === "create") {
    if (!isAuthor) throw new Refusal("Only its author may restore a comment.");
    if (!row.deleted_at) return undefined;
    row.deleted_at = null;
    state.changed.row = true;
    return fieldsOf(state);
  }
  if (edit.action === "delete") {
    const mayDelete = isAuthor || isOwner(author.user, image.ties);
    if (!mayDelete) throw new Refusal("Only its author and the dataset's owner may delete a comment.");
    if (row.deleted_at) return undefined;
    row.deleted_at = new Date();
    state.changed.row = true;
    return {};
  }
  return modify(edit, state, isAuthor, author);
}

function modify({ after }: CommentEdit, state: CommentState, isAuthor: boolean, author: Author): Fields {
  const { row } = state;
  const fields: { [key: string]: Json } = {};
  const isRewritten = after.text !== undefined && after.text !== row.text;
  const isResolved = after.resolved !== undefined && after.resolved !== (row.resolved_at !== null);
  if (isRewritten && !isAuthor) throw new Refusal("Only its author may change a comment.");
  if (isRewritten && row.deleted_at) throw new Refusal("This comment was deleted.");
  if (isResolved && row.thread !== null) throw new Refusal("Only a whole thread can be resolved.");
  if (isRewritten && after.text !== undefined) {
    row.text = fields.text = after.text;
    row.edited_at = new Date();
    fields.edited_at = row.edited_at.toISOString();
  }
  if (isResolved) {
    row.resolved_at = after.resolved ? new Date() : null;
    row.resolved_by = fields.resolved_by = after.resolved ? author.user.username : null;
    fields.resolved = row.resolved_at !== null;
  }
  if (Object.keys(fields).length === 0) return undefined;
  state.changed.row = true;
  return fields;
}

/** Returns all fields of a comment in the form that the history and the catch-up call use. */
function fieldsOf({ row }: CommentState): Fields {
  const { uuid: _, revision: __, deleted: ___, ...fields }: Comment = commentOf(row);
  return fields;
}
