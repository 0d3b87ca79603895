import type { Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";

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

  clear(): void {
    this.edits.clear();
  }

  /** Returns the fields of a subject that pending edits change. */
  fieldsOf(subject: Edit["subject"], id: string): Set<string> {
    const pending = this.all().filter(
      (edit) => edit.subject === subject && (edit.subject === "image" || String(edit.target) === id),
    );
    return new Set(pending.flatMap((edit) => Object.keys(edit.after)));
  }

  /** Returns true if a remote change lies hidden under these pending edits. */
  hidesRemoteChange(edit: Edit, now: object): boolean {
    const isPending = (field: string) =>
      this.all().some((pending) => isSameSubject(pending, edit) && hasSameField(pending.after, now, field));
    return Object.keys(edit.before).some((field) => !hasSameField(edit.before, now, field) && !isPending(field));
  }
}

const isSameSubject = (a: Edit, b: Edit): boolean =>
  a.subject === b.subject && (a.subject === "image" || ("target" in b && a.target === b.target));

/** Returns true if `given` names the field and the subject has the same value there. */
export const hasSameField = (given: object, now: object, field: string): boolean =>
  Object.hasOwn(given, field) && same(Reflect.get(given, field), Reflect.get(now, field));
