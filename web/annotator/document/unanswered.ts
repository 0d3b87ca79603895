import type { Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";

/** Own edits that the server has not answered, oldest first. What it tells meanwhile goes under them. */
export class Unanswered {
  private readonly edits = new Map<string, Edit>();

  /** Oldest first. */
  all(): Edit[] {
    return [...this.edits.values()];
  }

  add(edit: Edit): void {
    this.edits.set(edit.uuid, edit);
  }

  /** Takes an edit out, as it has been answered; undefined where none waits. */
  take(uuid: string): Edit | undefined {
    const edit = this.edits.get(uuid);
    this.edits.delete(uuid);
    return edit;
  }

  clear(): void {
    this.edits.clear();
  }

  /** The fields of a subject that they change. */
  fieldsOf(subject: Edit["subject"], id: string): Set<string> {
    const own = this.all().filter(
      (edit) => edit.subject === subject && (edit.subject === "image" || String(edit.target) === id),
    );
    return new Set(own.flatMap((edit) => Object.keys(edit.after)));
  }

  /** Returns true if a remote change lies hidden under these pending edits. */
  hidesOthers(edit: Edit, now: object): boolean {
    const isOwn = (field: string) => this.all().some((own) => isSameSubject(own, edit) && has(own.after, now, field));
    return Object.keys(edit.before).some((field) => !has(edit.before, now, field) && !isOwn(field));
  }
}

const isSameSubject = (a: Edit, b: Edit): boolean =>
  a.subject === b.subject && (a.subject === "image" || ("target" in b && a.target === b.target));

/** Returns true if a subject has the given value of a field. */
export const has = (given: object, now: object, field: string): boolean =>
  Object.hasOwn(given, field) && same(Reflect.get(given, field), Reflect.get(now, field));
