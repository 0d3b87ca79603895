import { applyChange, applyEdit } from "../../../shared/edits/apply";
import type { AnnotationEdit, Change } from "../../../shared/edits/edit";
import type { Annotation } from "../../../shared/entities/annotation";

/**
 * The document's annotations by uuid. Deleted annotations are remembered, so that restoring one keeps its id, its
 * creator and its place in the order.
 */
export class Annotations {
  private live = new Map<string, Annotation>();
  private readonly removed = new Map<string, Annotation>();
  private readonly ranks = new Map<string, number>();
  /** True if a restored annotation is at the end of `live` instead of in its place. */
  private isUnsorted = false;
  private view: ReadonlyMap<string, Annotation> | null = null;

  /** `creator`: username that new annotations get, the same that the server will store; null if login is disabled. */
  constructor(private readonly creator: string | null) {}

  /** Returns an immutable copy of the table, in the order in which annotations were loaded or created. */
  all(): ReadonlyMap<string, Annotation> {
    if (this.view) return this.view;
    if (this.isUnsorted) this.live = new Map([...this.live].sort(([a], [b]) => this.rank(a) - this.rank(b)));
    this.isUnsorted = false;
    this.view = new Map(this.live);
    return this.view;
  }

  get(uuid: string): Annotation | null {
    return this.live.get(uuid) ?? null;
  }

  deleted(uuid: string): Annotation | null {
    return this.removed.get(uuid) ?? null;
  }

  load(annotations: readonly Annotation[]): void {
    this.live = new Map();
    for (const annotation of annotations) this.put(annotation);
    this.view = null;
  }

  apply(edit: AnnotationEdit): void {
    const annotation = applyEdit(this.live.get(edit.target), edit, this.removed.get(edit.target));
    const isNew = edit.action === "create" && annotation?.creator === null;
    this.set(edit.target, isNew ? { ...annotation, creator: this.creator } : annotation);
  }

  /**
   * Applies a remote change. `isPartial`: fields with pending edits were left out of it. The revision rises only if the
   * change was applied completely and directly follows the known revision, so that no later edit is based on a state
   * that the user has not seen.
   */
  applyChange(change: Change, imageId: number, isPartial: boolean): void {
    const uuid = change.subject_id;
    const old = this.live.get(uuid) ?? (change.action === "create" ? this.removed.get(uuid) : undefined);
    const next = applyChange(old, change, imageId);
    const isWhole = !isPartial && change.revision === (old?.revision ?? 0) + 1;
    const isModified = old && next && change.action === "modify" && !isWhole;
    this.set(uuid, isModified ? { ...next, revision: old.revision } : next);
    // An edit that restores the annotation is based on the revision of its deletion.
    if (old && !next) this.removed.set(uuid, { ...old, revision: change.revision });
  }

  /** Sets fields of an annotation, for changes that the server derives from an edit by itself. */
  change(uuid: string, fields: Partial<Annotation>): void {
    const old = this.live.get(uuid);
    if (old) this.put({ ...old, ...fields });
  }

  /**
   * Stores the id and revision that the server assigned. Returns false if another user's change came in between; the
   * revision then stays until that change has been applied.
   */
  stamp(uuid: string, id: number | null, revision: number | null): boolean {
    const isNext = (old: Annotation) => revision === null || revision <= old.revision + 1;
    let isWhole = true;
    for (const table of [this.live, this.removed]) {
      const old = table.get(uuid);
      if (!old) continue;
      isWhole &&= isNext(old);
      const reached = isNext(old) ? Math.max(old.revision, revision ?? 0) : old.revision;
      table.set(uuid, { ...old, id: id ?? old.id, revision: reached });
    }
    this.view = null;
    return isWhole;
  }

  /** Lowers the revision, so that later edits are not based on changes that are not shown here. */
  limitRevision(uuid: string, revision: number): void {
    const old = this.live.get(uuid);
    if (old && old.revision > revision) this.put({ ...old, revision });
  }

  revisionOf(uuid: string): number {
    return (this.live.get(uuid) ?? this.removed.get(uuid))?.revision ?? -1;
  }

  private set(uuid: string, annotation: Annotation | undefined): void {
    if (annotation) this.put(annotation);
    else this.remove(uuid);
  }

  private put(annotation: Annotation): void {
    const isRestored = !this.live.has(annotation.uuid) && this.rank(annotation.uuid) < this.ranks.size - 1;
    this.isUnsorted ||= isRestored;
    this.removed.delete(annotation.uuid);
    this.live.set(annotation.uuid, annotation);
    this.view = null;
  }

  private remove(uuid: string): void {
    const old = this.live.get(uuid);
    if (!old) return;
    this.removed.set(uuid, old);
    this.live.delete(uuid);
    this.view = null;
  }

  private rank(uuid: string): number {
    const known = this.ranks.get(uuid);
    if (known !== undefined) return known;
    this.ranks.set(uuid, this.ranks.size);
    return this.ranks.size - 1;
  }
}
