import type { AnnotatorScene } from "../../../../shared/api/annotator";
import { applyChange, applyEdit } from "../../../../shared/edits/apply";
import type { AnnotationEdit, Change, EditAnswer } from "../../../../shared/edits/edit";
import type { Annotation } from "../../../../shared/entities/annotation";
import { moveKeypoints } from "../../../../shared/rules/keypointTriples";
import { definitionOf } from "../../keypoints/model/definition";
import type { Categories } from "./categories";
import { type DocumentSubject, fieldsExcept } from "./subject";

/**
 * The document's annotations by uuid. Deleted annotations are remembered, so that restoring one keeps its id, its
 * creator and its place in the order.
 */
export class Annotations implements DocumentSubject<"annotation"> {
  private readonly imageId: number;
  private live = new Map<string, Annotation>();
  private readonly removed = new Map<string, Annotation>();
  /** Bases of edits that delete annotations which the scene does not have, because the server has deleted them already. */
  private readonly deletionBases = new Map<string, number>();
  /** Ids of the deleted annotations, also of those that were deleted before the image was opened. */
  private deletedInImage = new Set<number>();
  private deletedView: { all: ReadonlyMap<string, Annotation>; ids: ReadonlySet<number> } | null = null;
  private readonly ranks = new Map<string, number>();
  /** True if a restored annotation is at the end of `live` instead of in its place. */
  private isUnsorted = false;
  private view: ReadonlyMap<string, Annotation> | null = null;

  /** `creator`: username that new annotations get, the same that the server will store; null if login is disabled. */
  constructor(
    scene: AnnotatorScene,
    private readonly creator: string | null,
    private readonly categories: Categories,
  ) {
    this.imageId = scene.image.id;
    this.load(scene);
  }

  /** Returns an immutable copy of the table, in the order in which annotations were loaded or created. */
  all(): ReadonlyMap<string, Annotation> {
    if (this.view) return this.view;
    if (this.isUnsorted) this.live = new Map([...this.live].sort(([a], [b]) => this.rank(a) - this.rank(b)));
    this.isUnsorted = false;
    this.view = new Map(this.live);
    return this.view;
  }

  /** Returns an immutable copy of the ids of the image's deleted annotations. */
  deletedIds(): ReadonlySet<number> {
    const all = this.all();
    if (this.deletedView?.all !== all) this.deletedView = { all, ids: new Set(this.deletedInImage) };
    return this.deletedView.ids;
  }

  get(uuid: string): Annotation | null {
    return this.live.get(uuid) ?? null;
  }

  deleted(uuid: string): Annotation | null {
    return this.removed.get(uuid) ?? null;
  }

  /** Remembers an annotation that was deleted before the image was opened, unless it is known already. */
  rememberDeleted(annotation: Annotation): void {
    const { uuid } = annotation;
    if (!this.live.has(uuid) && !this.removed.has(uuid)) this.removed.set(uuid, annotation);
  }

  load({ categories, deleted = [] }: AnnotatorScene): void {
    this.live = new Map();
    this.deletedInImage = new Set(
      deleted.flatMap(([first, count]) => Array.from({ length: count }, (_, i) => first + i)),
    );
    for (const { annotations } of categories)
      for (const annotation of annotations) this.put(withAttributes(annotation));
    this.view = null;
  }

  find({ target }: AnnotationEdit): Annotation | null {
    return this.get(target);
  }

  revisionOf({ target }: AnnotationEdit): number {
    return (this.live.get(target) ?? this.removed.get(target))?.revision ?? -1;
  }

  /** An edit that restores an annotation is based on the revision of its deletion. */
  baseOf(edit: AnnotationEdit): number {
    return Math.max(this.revisionOf(edit), 0);
  }

  apply(edit: AnnotationEdit): void {
    const before = this.live.get(edit.target);
    const removed = this.removed.get(edit.target);
    if (!before && !removed && edit.action === "delete") this.deletionBases.set(edit.target, edit.base);
    // A restoration may have an older base than the deletion before it, whose base was raised when it was sent.
    const base = Math.max(edit.base, this.deletionBases.get(edit.target) ?? 0);
    const annotation = applyEdit(before, { ...edit, base }, removed);
    const isNew = edit.action === "create" && annotation?.creator === null;
    this.set(edit.target, isNew ? { ...annotation, creator: this.creator } : annotation);
    if (before) this.moveKeypoints(before, edit);
  }

  /**
   * Raises the revision only if the change was applied completely and directly follows the known revision, so that no
   * later edit is based on a state that the user has not seen. Returns false for keypoints whose labels the category
   * does not have here: a move from another category can add hidden labels, which are no change of the category. Also
   * returns false if no edit is pending any more but an earlier change was hidden by one: the revision would stay behind.
   */
  applyChange(change: Change, keep: ReadonlySet<string>, isOwn: boolean): boolean {
    const uuid = change.subject_id;
    const known = this.live.get(uuid) ?? this.removed.get(uuid);
    if (known && change.revision <= known.revision) return true;
    const fields = fieldsExcept(change, keep);
    const isPartial = !isOwn && Object.keys(fields).length < Object.keys(change.fields).length;
    const old = this.live.get(uuid) ?? (change.action === "create" ? this.removed.get(uuid) : undefined);
    const next = applyChange(old, { ...change, fields }, this.imageId);
    const isWhole = !isPartial && change.revision === (old?.revision ?? 0) + 1;
    const isModified = old && next && change.action === "modify" && !isWhole;
    this.set(uuid, isModified ? { ...next, revision: old.revision } : next);
    if (old && !next) this.removed.set(uuid, { ...old, revision: change.revision });
    if (!next) return true;
    const isBehind = isModified && keep.size === 0;
    return !isBehind && this.hasLabels(next);
  }

  stamp({ target }: AnnotationEdit, { id, revision }: Pick<EditAnswer, "id" | "revision">): boolean {
    const isNext = (old: Annotation) => revision == null || revision <= old.revision + 1;
    let isWhole = true;
    for (const table of [this.live, this.removed]) {
      const old = table.get(target);
      if (!old) continue;
      isWhole &&= isNext(old);
      const reached = isNext(old) ? Math.max(old.revision, revision ?? 0) : old.revision;
      table.set(target, { ...old, id: id ?? old.id, revision: reached });
      if (table === this.removed && id != null) this.deletedInImage.add(id);
    }
    this.view = null;
    return isWhole;
  }

  limitRevision({ target, base }: AnnotationEdit): void {
    const old = this.live.get(target);
    if (old && old.revision > base) this.put({ ...old, revision: base });
  }

  /** Moves the keypoints to the labels of the same names when the category changes, as the server does. */
  private moveKeypoints(before: Annotation, { target, action, after }: AnnotationEdit): void {
    const from = this.categories.get(before.category_id);
    const to = this.categories.get(after.category_id ?? null);
    if (action !== "modify" || after.keypoints || !from || !to || from === to || !before.keypoints?.length) return;
    const moved = moveKeypoints(before.keypoints, definitionOf(from), definitionOf(to));
    const annotation = this.live.get(target);
    if (annotation) this.put({ ...annotation, keypoints: moved.points });
    this.categories.change(to.id, { keypoint_removed: moved.to.removed });
  }

  private hasLabels({ keypoints, category_id }: Annotation): boolean {
    const category = keypoints?.length ? this.categories.get(category_id) : null;
    if (!category) return true;
    const { labels, removed } = definitionOf(category);
    const known = new Set([...labels, ...removed].map(({ id }) => id));
    return keypoints?.every(({ label }) => known.has(label)) ?? true;
  }

  private set(uuid: string, annotation: Annotation | undefined): void {
    if (annotation) this.put(annotation);
    else this.remove(uuid);
  }

  private put(annotation: Annotation): void {
    const isRestored = !this.live.has(annotation.uuid) && this.rank(annotation.uuid) < this.ranks.size - 1;
    this.isUnsorted ||= isRestored;
    this.removed.delete(annotation.uuid);
    if (annotation.id !== null) this.deletedInImage.delete(annotation.id);
    this.live.set(annotation.uuid, annotation);
    this.view = null;
  }

  private remove(uuid: string): void {
    const old = this.live.get(uuid);
    if (!old) return;
    this.removed.set(uuid, old);
    if (old.id !== null) this.deletedInImage.add(old.id);
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

/** Returns an annotation with attributes, which copies of earlier versions of Limn do not have. */
const withAttributes = (annotation: Annotation): Annotation =>
  (annotation as Partial<Annotation>).attributes ? annotation : { ...annotation, attributes: {} };
