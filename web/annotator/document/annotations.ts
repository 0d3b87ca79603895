import { applyChange, applyEdit } from "../../../shared/edits/apply";
import type { AnnotationEdit, Change } from "../../../shared/edits/edit";
import type { Annotation } from "../../../shared/entities/annotation";

/**
 * The document's table of annotations by uuid. Deleted ones are remembered, so that bringing one back keeps its number,
 * its maker and its place in the order.
 */
export class Annotations {
  private live = new Map<string, Annotation>();
  private readonly graves = new Map<string, Annotation>();
  private readonly ranks = new Map<string, number>();
  /** One that was brought back stands at the end of `live`, not in its place. */
  private isDisordered = false;
  private view: ReadonlyMap<string, Annotation> | null = null;

  /** `maker` is named as the maker of what is made here, as the server will name it. */
  constructor(private readonly maker: string | null) {}

  /** An immutable image of the table, in the order in which annotations came or were made. */
  all(): ReadonlyMap<string, Annotation> {
    if (this.view) return this.view;
    if (this.isDisordered) this.live = new Map([...this.live].sort(([a], [b]) => this.rank(a) - this.rank(b)));
    this.isDisordered = false;
    this.view = new Map(this.live);
    return this.view;
  }

  get(uuid: string): Annotation | null {
    return this.live.get(uuid) ?? null;
  }

  deleted(uuid: string): Annotation | null {
    return this.graves.get(uuid) ?? null;
  }

  load(annotations: readonly Annotation[]): void {
    this.live = new Map();
    for (const annotation of annotations) this.put(annotation);
    this.view = null;
  }

  apply(edit: AnnotationEdit): void {
    const annotation = applyEdit(this.live.get(edit.target), edit, this.graves.get(edit.target));
    const isNew = edit.action === "create" && annotation?.creator === null;
    this.set(edit.target, isNew ? { ...annotation, creator: this.maker } : annotation);
  }

  /**
   * A change that the server tells. `isPartial`: own unanswered work was kept back from it. The revision rises only
   * when the change was taken over whole and none lies between: a later edit must not stand on what was not seen here.
   */
  applyChange(change: Change, imageId: number, isPartial: boolean): void {
    const uuid = change.subject_id;
    const old = this.live.get(uuid) ?? (change.action === "create" ? this.graves.get(uuid) : undefined);
    const next = applyChange(old, change, imageId);
    const isWhole = !isPartial && change.revision === (old?.revision ?? 0) + 1;
    const isModified = old && next && change.action === "modify" && !isWhole;
    this.set(uuid, isModified ? { ...next, revision: old.revision } : next);
    // The edit that brings it back stands on its deletion.
    if (old && !next) this.graves.set(uuid, { ...old, revision: change.revision });
  }

  /** Changes fields, and those that follow from them, as the server does. */
  change(uuid: string, fields: Partial<Annotation>): void {
    const old = this.live.get(uuid);
    if (old) this.put({ ...old, ...fields });
  }

  /**
   * The number and revision that the server gave. Returns false where somebody else's change lies between: then the
   * revision stays, until that has been taken over.
   */
  stamp(uuid: string, id: number | null, revision: number | null): boolean {
    const isNext = (old: Annotation) => revision === null || revision <= old.revision + 1;
    let isWhole = true;
    for (const table of [this.live, this.graves]) {
      const old = table.get(uuid);
      if (!old) continue;
      isWhole &&= isNext(old);
      const reached = isNext(old) ? Math.max(old.revision, revision ?? 0) : old.revision;
      table.set(uuid, { ...old, id: id ?? old.id, revision: reached });
    }
    this.view = null;
    return isWhole;
  }

  /** A later edit must not stand on more than that: what came after is not shown here. */
  holdRevision(uuid: string, revision: number): void {
    const old = this.live.get(uuid);
    if (old && old.revision > revision) this.put({ ...old, revision });
  }

  revisionOf(uuid: string): number {
    return (this.live.get(uuid) ?? this.graves.get(uuid))?.revision ?? -1;
  }

  private set(uuid: string, annotation: Annotation | undefined): void {
    if (annotation) this.put(annotation);
    else this.remove(uuid);
  }

  private put(annotation: Annotation): void {
    const isBack = !this.live.has(annotation.uuid) && this.rank(annotation.uuid) < this.ranks.size - 1;
    this.isDisordered ||= isBack;
    this.graves.delete(annotation.uuid);
    this.live.set(annotation.uuid, annotation);
    this.view = null;
  }

  private remove(uuid: string): void {
    const old = this.live.get(uuid);
    if (!old) return;
    this.graves.set(uuid, old);
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
