import type { AnnotatorScene } from "../../../../shared/api/annotator";
import { applyCommentChange, applyCommentEdit } from "../../../../shared/edits/comments";
import type { Change, CommentEdit, EditAnswer } from "../../../../shared/edits/edit";
import type { Comment } from "../../../../shared/entities/comment";
import type { DocumentSubject } from "./subject";

/** The document's comments by uuid, in the order in which they were loaded or written. Deleted ones remain. */
export class Comments implements DocumentSubject<"comment"> {
  private byUuid: ReadonlyMap<string, Comment> = new Map();

  /** `username`: the author of new comments. */
  constructor(
    scene: AnnotatorScene,
    private readonly username: string,
  ) {
    this.load(scene);
  }

  all(): ReadonlyMap<string, Comment> {
    return this.byUuid;
  }

  load({ comments = [] }: AnnotatorScene): void {
    this.byUuid = new Map(comments.map((comment) => [comment.uuid, comment]));
  }

  find({ target }: CommentEdit): Comment | null {
    const comment = this.byUuid.get(target);
    return comment && !comment.deleted ? comment : null;
  }

  revisionOf({ target }: CommentEdit): number {
    return this.byUuid.get(target)?.revision ?? -1;
  }

  baseOf(edit: CommentEdit): number {
    return Math.max(this.revisionOf(edit), 0);
  }

  apply(edit: CommentEdit): void {
    const made = { user: this.username, at: new Date().toISOString() };
    this.put(applyCommentEdit(this.byUuid.get(edit.target), edit, made));
  }

  /** The last edit of a comment counts, so changes in between do not matter. */
  stamp({ target }: CommentEdit, { revision }: Pick<EditAnswer, "revision">): boolean {
    const comment = this.byUuid.get(target);
    if (!comment || revision == null) return true;
    // A change that has not arrived yet must still be applied.
    if (revision <= comment.revision + 1) this.put({ ...comment, revision: Math.max(comment.revision, revision) });
    return revision <= comment.revision + 1;
  }

  limitRevision(): void {
    // Comments do not conflict.
  }

  applyChange(change: Change, keep: ReadonlySet<string>): boolean {
    const known = this.byUuid.get(change.subject_id);
    const isMissed = change.action === "modify" && !known;
    const next = applyCommentChange(known, change, withConsequences(keep));
    this.put(next);
    return !isMissed;
  }

  private put(comment: Comment | undefined): void {
    if (comment && comment !== this.byUuid.get(comment.uuid))
      this.byUuid = new Map(this.byUuid).set(comment.uuid, comment);
  }
}

/** Returns the fields, and those that follow from them. */
function withConsequences(fields: ReadonlySet<string>): ReadonlySet<string> {
  const consequences = [fields.has("text") && "edited_at", fields.has("resolved") && "resolved_by"];
  return new Set([...fields, ...consequences.filter((each) => each !== false)]);
}
