import type { Change, Edit } from "../../../shared/edits/edit";
import { hasSameField } from "../../../shared/edits/same";
import { subjectOf } from "../../../shared/edits/subject";

/** The user's edits that the server has not acknowledged yet. Remote changes are applied beneath them. */
export class PendingEdits {
  private readonly edits = new Map<string, Edit>();
  /** The same edits by `subjectOf`, because thousands of annotations may be changed at once. */
  private readonly bySubject = new Map<string, Set<Edit>>();

  /** Oldest first. */
  all(): Edit[] {
    return [...this.edits.values()];
  }

  /** Adds an edit, or replaces the edit with the same uuid, which keeps its position. */
  add(edit: Edit): void {
    this.unlist(this.edits.get(edit.uuid));
    this.edits.set(edit.uuid, edit);
    const key = subjectOf(edit);
    const known = this.bySubject.get(key);
    if (known) known.add(edit);
    else this.bySubject.set(key, new Set([edit]));
  }

  /** Removes and returns an acknowledged edit; undefined if it is not pending. */
  remove(uuid: string): Edit | undefined {
    const edit = this.edits.get(uuid);
    this.edits.delete(uuid);
    this.unlist(edit);
    return edit;
  }

  /** Removes all edits, except those that `isKept` returns true for. */
  clear(isKept: (edit: Edit) => boolean): void {
    for (const edit of this.all()) if (!isKept(edit)) this.remove(edit.uuid);
  }

  /** Returns the edits of a change's subject, oldest first. */
  of({ subject, subject_id }: Change): Edit[] {
    return [...(this.bySubject.get(`${subject} ${subject_id}`) ?? [])];
  }

  /** Returns the fields of a change's subject that pending edits change. */
  fieldsOf(change: Change): Set<string> {
    return new Set(this.of(change).flatMap((edit) => Object.keys(edit.after)));
  }

  /**
   * Returns true if an edit hides a remote change: a field of `now` differs from the edit's `before`, and no pending
   * edit has set that value.
   */
  hidesRemoteChange(edit: Edit, now: object): boolean {
    const changed = Object.keys(edit.before).filter((field) => !hasSameField(edit.before, now, field));
    if (changed.length === 0) return false;
    const pending = [...(this.bySubject.get(subjectOf(edit)) ?? [])];
    return changed.some((field) => !pending.some(({ after }) => hasSameField(after, now, field)));
  }

  private unlist(edit: Edit | undefined): void {
    if (!edit) return;
    const key = subjectOf(edit);
    const listed = this.bySubject.get(key);
    listed?.delete(edit);
    if (listed?.size === 0) this.bySubject.delete(key);
  }
}
