import type { Change, Edit } from "../../../shared/edits/edit";
import { hasSameField } from "../../../shared/edits/same";
import { subjectIdOf, subjectOf } from "../../../shared/edits/subject";

/** The user's edits that the server has not acknowledged yet. Remote changes are applied beneath them. */
export class PendingEdits {
  private readonly edits = new Map<string, Edit>();

  /** Oldest first. */
  all(): Edit[] {
    return [...this.edits.values()];
  }

  add(edit: Edit): void {
    this.edits.set(edit.uuid, edit);
  }

  /** Removes and returns an acknowledged edit; undefined if it is not pending. */
  remove(uuid: string): Edit | undefined {
    const edit = this.edits.get(uuid);
    this.edits.delete(uuid);
    return edit;
  }

  /** Removes all edits, except those that `isKept` returns true for. */
  clear(isKept: (edit: Edit) => boolean): void {
    for (const edit of this.all()) if (!isKept(edit)) this.edits.delete(edit.uuid);
  }

  /** Returns the fields of a change's subject that pending edits change. */
  fieldsOf({ subject, subject_id }: Change): Set<string> {
    const pending = this.all().filter((edit) => edit.subject === subject && subjectIdOf(edit) === subject_id);
    return new Set(pending.flatMap((edit) => Object.keys(edit.after)));
  }

  /** Returns true if a remote change lies hidden under these pending edits. */
  hidesRemoteChange(edit: Edit, now: object): boolean {
    const isPending = (field: string) =>
      this.all().some((pending) => subjectOf(pending) === subjectOf(edit) && hasSameField(pending.after, now, field));
    return Object.keys(edit.before).some((field) => !hasSameField(edit.before, now, field) && !isPending(field));
  }
}
