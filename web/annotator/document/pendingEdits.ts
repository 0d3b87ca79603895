import { attributesBeneath, attributesClash } from "../../../shared/edits/attributes";
import type { AnnotationEdit, Change, Edit } from "../../../shared/edits/edit";
import { hasSameField } from "../../../shared/edits/same";
import { subjectOf } from "../../../shared/edits/subject";
import type { Annotation } from "../../../shared/entities/annotation";

/** The user's edits that the server has not acknowledged yet. Remote changes are applied beneath them. */
export class PendingEdits {
  private readonly edits = new Map<string, Edit>();
  /** The same edits by `subjectOf`, because thousands of annotations may be changed at once. */
  private readonly bySubject = new Map<string, Set<Edit>>();
  /** Highest revisions of the remote changes that pending edits hide, by `subjectOf`. */
  private readonly hidden = new Map<string, number>();

  get size(): number {
    return this.edits.size;
  }

  has(uuid: string): boolean {
    return this.edits.has(uuid);
  }

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

  /**
   * Removes a stored edit and the earlier ones of its subject, which the server must have answered before. Returns false
   * if the edit is not pending.
   */
  removeThrough(uuid: string): boolean {
    const edit = this.edits.get(uuid);
    if (!edit) return false;
    const listed = [...(this.bySubject.get(subjectOf(edit)) ?? [])];
    for (const each of listed.slice(0, listed.indexOf(edit) + 1)) this.remove(each.uuid);
    return true;
  }

  /** Removes all edits, except those that `isKept` returns true for. Returns true if there were others. */
  clear(isKept: (edit: Edit) => boolean): boolean {
    const removed = this.all().filter((edit) => !isKept(edit));
    for (const edit of removed) this.remove(edit.uuid);
    return removed.length > 0;
  }

  /** Returns the edits of a change's subject, oldest first. */
  of({ subject, subject_id }: Change): Edit[] {
    return [...(this.bySubject.get(`${subject} ${subject_id}`) ?? [])];
  }

  /**
   * Returns a remote change as it is applied beneath the pending edits, and the fields that keep the user's values.
   * Attributes are merged name by name, as on the server, so that nothing of the change stays hidden; if the same
   * attribute was set differently, all keep the user's values. Keypoints keep them if an edit moves the annotation to
   * another category, because those of the change have the labels of the old one. `isMoved`: the change has keypoints
   * that the server moves with the annotation.
   */
  beneath(change: Change): { change: Change; keep: Set<string>; isMoved: boolean } {
    const edits = this.of(change);
    const keep = new Set(edits.flatMap((edit) => Object.keys(edit.after)));
    const isMoved = keep.has("category_id") && !keep.has("keypoints") && Object.hasOwn(change.fields, "keypoints");
    if (isMoved) keep.add("keypoints");
    const attributes = keep.has("attributes") ? mergedBeneath(change, edits) : null;
    if (!attributes) return { change, keep, isMoved };
    keep.delete("attributes");
    return { change: { ...change, fields: { ...change.fields, attributes } }, keep, isMoved };
  }

  /**
   * Returns true if an edit hides a remote change: a field of `now` differs from the edit's `before`, and no pending
   * edit has set that value.
   */
  hidesRemoteChange(edit: Edit, now: object): boolean {
    const changed = Object.keys(edit.before).filter((field) => isChanged(edit, now, field));
    if (changed.length === 0) return false;
    const pending = [...(this.bySubject.get(subjectOf(edit)) ?? [])];
    return changed.some((field) => !pending.some(({ after }) => hasSameField(after, now, field)));
  }

  /** Remembers that an edit's subject is shown with an older revision, because pending edits hide a remote change. */
  hide(edit: Edit, revision: number): void {
    const key = subjectOf(edit);
    this.hidden.set(key, Math.max(revision, this.hidden.get(key) ?? 0));
  }

  /** Returns the highest revision that was hidden by edits of the same subject, none of which is pending; 0 if none was. */
  uncovered(edit: Edit): number {
    const key = subjectOf(edit);
    return (!this.bySubject.has(key) && this.hidden.get(key)) || 0;
  }

  /** Forgets which changes are hidden, because the whole image is replaced. */
  forgetHidden(): void {
    this.hidden.clear();
  }

  private unlist(edit: Edit | undefined): void {
    if (!edit) return;
    const key = subjectOf(edit);
    const listed = this.bySubject.get(key);
    listed?.delete(edit);
    if (listed?.size === 0) this.bySubject.delete(key);
  }
}

type Attributes = Annotation["attributes"];

/** Returns the attributes of a remote change with those of pending edits on top; null if they cannot be merged. */
function mergedBeneath({ fields, subject }: Change, edits: readonly Edit[]): Attributes | null {
  if (subject !== "annotation" || !Object.hasOwn(fields, "attributes")) return null;
  const own = edits.filter(changesAttributes);
  return own.every(({ action }) => action === "modify")
    ? attributesBeneath(fields.attributes as Attributes, own)
    : null;
}

const changesAttributes = (edit: Edit): edit is AnnotationEdit =>
  edit.subject === "annotation" && edit.after.attributes !== undefined;

/** Returns true if a field has another value now than before an edit; of attributes, one that the edit changes. */
function isChanged(edit: Edit, now: object, field: string): boolean {
  const isMerged = field === "attributes" && edit.action === "modify" && changesAttributes(edit);
  return isMerged
    ? attributesClash(edit, (now as Pick<Annotation, "attributes">).attributes)
    : !hasSameField(edit.before, now, field);
}
