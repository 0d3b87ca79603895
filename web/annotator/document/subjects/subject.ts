import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { Change, EditAnswer } from "../../../../shared/edits/edit";
import type { Subject } from "../../../../shared/edits/fields";
import type { EditOf } from "../../../../shared/edits/subject";

/** One kind of subject in the open image's document: the annotations, the categories, the comments, or the image
 * itself. */
export interface DocumentSubject<S extends Subject> {
  /** Replaces the content with the server's scene. */
  load(scene: AnnotatorScene): void;
  /** Returns an edit's subject; null if it is not in the document. */
  find(edit: EditOf<S>): object | null;
  /** Returns the revision of an edit's subject; -1 if it is not in the document. */
  revisionOf(edit: EditOf<S>): number;
  /** Returns the base revision for another edit of the same subject. */
  baseOf(edit: EditOf<S>): number;
  /** Applies an edit. Does nothing if its subject is not in the document. */
  apply(edit: EditOf<S>): void;
  /**
   * Stores the id and revision that the server assigned. Returns false if another user's change came in between; the
   * revision then stays until that change has been applied.
   */
  stamp(edit: EditOf<S>, answer: Pick<EditAnswer, "id" | "revision">): boolean;
  /** Keeps the revision at the edit's base, so that the server reports the next edit as a conflict, too. */
  limitRevision(edit: EditOf<S>): void;
  /**
   * Applies a remote change, except to the fields `keep`, which have pending edits. `isOwn`: the change is an edit of
   * this tab. Returns false if an earlier change, or a part of another subject, is missing.
   */
  applyChange(change: Change, keep: ReadonlySet<string>, isOwn: boolean): boolean;
}

/** Returns the fields of a remote change that are not in `keep`. */
export function fieldsExcept({ fields }: Change, keep: ReadonlySet<string>): Change["fields"] {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !keep.has(field)));
}
