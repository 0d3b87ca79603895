import { createStore } from "zustand/vanilla";
import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Change, Edit, EditAnswer } from "../../../shared/edits/edit";
import type { Subject } from "../../../shared/edits/fields";
import { type EditOf, subjectIdOf } from "../../../shared/edits/subject";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Comment } from "../../../shared/entities/comment";
import { type DocumentChange, remoteChange, touchedBy } from "./announcement";
import { PendingEdits } from "./pendingEdits";
import { Annotations } from "./subjects/annotations";
import { Categories, type SceneCategory } from "./subjects/categories";
import { Comments } from "./subjects/comments";
import { OpenImage, type SceneImage } from "./subjects/openImage";
import type { DocumentSubject } from "./subjects/subject";

export type { SceneCategory } from "./subjects/categories";
export { numbersOf } from "./subjects/numbers";

export interface DocumentState {
  image: SceneImage;
  dataset: AnnotatorScene["dataset"];
  permissions: AnnotatorScene["permissions"];
  /** Categories in the order of the tree. */
  categories: readonly SceneCategory[];
  /** Ids of the categories in the order of the digit keys. */
  numbered: readonly number[];
  annotations: ReadonlyMap<string, Annotation>;
  /** Ids of the image's deleted annotations. */
  deletedIds: ReadonlySet<number>;
  /** By uuid, in the order in which they were loaded or written. Deleted ones remain. */
  comments: ReadonlyMap<string, Comment>;
}

type Listener = (change: DocumentChange) => void;
type Guard = (edits: readonly Edit[], origin: "local" | "undo") => boolean;

/**
 * The open image's annotations, categories and comments, and the only writer of shapes. Every change is either an edit
 * of the user (`apply`) or comes from the server, and is announced to the listeners: history, journal, canvas. State is
 * immutable: a changed annotation is a new object.
 */
export class AnnotatorDocument {
  readonly store;
  private readonly image: OpenImage;
  private readonly categories: Categories;
  private readonly annotations: Annotations;
  private readonly comments: Comments;
  private readonly subjects: { readonly [S in Subject]: DocumentSubject<S> };
  private readonly listeners = new Set<Listener>();
  private readonly pending = new PendingEdits();
  private isRefused: Guard = () => false;
  /** Acknowledgements received while the image is being reloaded; null at other times. */
  private acknowledged: { edit: Edit; answer: EditAnswer }[] | null = null;

  /** Edits that the scene included, which are not applied again. */
  private readonly included: readonly string[];

  /** `username`: the user's name, null if login is disabled. */
  constructor(scene: AnnotatorScene, username: string | null) {
    this.included = scene.edits ?? [];
    this.image = new OpenImage(scene, username);
    this.categories = new Categories(scene);
    this.annotations = new Annotations(scene, username, this.categories);
    this.comments = new Comments(scene, username ?? "anonymous");
    const { image, categories: category, annotations: annotation, comments: comment } = this;
    this.subjects = { image, category, annotation, comment };
    this.store = createStore<DocumentState>(() => this.stateOf(scene));
  }

  get state(): DocumentState {
    return this.store.getState();
  }

  /** True if the user may look at the image but not change it. */
  get isReadOnly(): boolean {
    return !this.state.permissions.dataset.edit;
  }

  annotation(uuid: string | null): Annotation | null {
    return (uuid !== null && this.state.annotations.get(uuid)) || null;
  }

  /**
   * Returns an annotation that was deleted in this editor, as it was before the deletion, so that undo can restore it.
   */
  deleted(uuid: string): Annotation | null {
    return this.annotations.deleted(uuid);
  }

  /** Remembers an annotation that was deleted before the image was opened, so that an edit can restore it. */
  rememberDeleted(annotation: Annotation): void {
    this.annotations.rememberDeleted(annotation);
  }

  category(id: number | null): SceneCategory | null {
    return this.categories.get(id);
  }

  /** Returns a category's annotations in the order in which they were loaded or created. */
  ofCategory(id: number): Annotation[] {
    return [...this.state.annotations.values()].filter((annotation) => annotation.category_id === id);
  }

  /** Returns an edit's subject; null if it is not in the document. */
  find(edit: Edit): object | null {
    return this.kindOf(edit).find(edit);
  }

  /** Returns the base revision for another edit of the same subject. */
  baseOf(edit: Edit): number {
    return this.kindOf(edit).baseOf(edit);
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * From now on, refuses the user's edits, or undoing them, if `isRefused` returns true. Edits that are applied
   * together are refused together.
   */
  guard(isRefused: Guard): void {
    this.isRefused = isRefused;
  }

  /** Returns true if these edits of the user would be refused; the guard then notifies the user of the reason. */
  refuses(edits: readonly Edit[]): boolean {
    return this.isRefused(edits, "local");
  }

  /**
   * Applies the user's edits. An edit of a subject that is not in the document changes nothing, but is still announced.
   */
  apply(edits: readonly Edit[], origin: "local" | "undo"): void {
    if (edits.length === 0 || this.isRefused(edits, origin)) return;
    for (const edit of edits) {
      this.pending.add(edit);
      this.applyPendingEdit(edit);
    }
    const touched = edits.map((edit) => ({ subject: edit.subject, subject_id: subjectIdOf(edit) }));
    this.publish({ origin, edits, ...touchedBy(touched) });
  }

  /**
   * Stores ids and revisions from the server's response to edits. Conflicts and refusals change nothing here; the sink
   * keeps them. Returns "behind" if another user's change of the same subject has not arrived here yet, and "outdated" if
   * an edit hides another user's change, or has hidden one that does not arrive again: the image must be reloaded.
   */
  acknowledge(answers: readonly EditAnswer[]): "complete" | "behind" | "outdated" {
    let isWhole = true;
    let isOutdated = false;
    for (const answer of answers) {
      const edit = this.pending.remove(answer.uuid);
      if (!edit) continue;
      if (answer.status !== "applied" && answer.status !== "seen") continue;
      this.acknowledged?.push({ edit, answer });
      isOutdated ||= this.isFollowed(edit, answer);
      isWhole = this.kindOf(edit).stamp(edit, answer) && isWhole;
      isOutdated ||= this.pending.uncovered(edit) > this.kindOf(edit).revisionOf(edit);
    }
    this.show();
    if (isOutdated) return "outdated";
    return isWhole ? "complete" : "behind";
  }

  /** Returns true if the server has not acknowledged an edit of this document. */
  isPending(uuid: string): boolean {
    return this.pending.has(uuid);
  }

  /** Number of edits that the server has not acknowledged. */
  get pendingCount(): number {
    return this.pending.size;
  }

  /**
   * Clears the pending edits, except those that have not been sent yet. Returns true if there were others: another tab
   * received their responses, so the server may have rejected what is shown here, and the image must be reloaded.
   */
  clearPendingEdits(isUnsent: (edit: Edit) => boolean): boolean {
    return this.pending.clear(isUnsent);
  }

  /** Records acknowledgements until `replace` is called, because the scene that `replace` receives may be older. */
  expectReplacement(): void {
    this.acknowledged = [];
  }

  /** Ends `expectReplacement` when the scene could not be loaded. */
  stopExpectingReplacement(): void {
    this.acknowledged = null;
  }

  /**
   * Applies edits that were in the journal when the image was opened, without announcing them. Leaves out those that the
   * scene names as included, and earlier ones of their subjects: applied again, they could change it.
   */
  addPendingEdits(edits: readonly Edit[]): void {
    for (const edit of edits) this.pending.add(edit);
    for (const uuid of this.included) this.pending.removeThrough(uuid);
    this.applyPendingEdits();
    this.show();
  }

  /**
   * Adds a pending edit that changes nothing now, without announcing it. Its values hold against later changes from the
   * server.
   */
  addSilentEdit(edit: Edit): void {
    this.pending.add(edit);
  }

  /** Shows the users who have the image open. */
  showUsers(annotating: string[]): void {
    this.image.showUsers(annotating);
    this.show();
  }

  /** Replaces the ids of the images before and after this one in its list. */
  showNeighbours(image: SceneImage): void {
    this.image.showNeighbours(image);
    this.show();
  }

  /**
   * Applies changes of other users (or of this user elsewhere) up to the image's `revision`. Fields with pending edits
   * keep the user's values, and changes that are already applied do nothing. Returns false if a category was changed in
   * between from another image, or by a move of keypoints: such a change is not among those of this image, which must be
   * reloaded. So must it if another user has changed keypoints that a pending edit moves to another category.
   */
  applyRemote(changes: readonly Change[], revision: number): boolean {
    const isWhole = changes.map((change) => this.applyRemoteChange(change)).every(Boolean);
    this.image.raiseRevision(revision);
    if (changes.length > 0) this.publish(remoteChange(changes));
    else this.show();
    return isWhole;
  }

  /** Replaces everything with the server's current scene, with pending edits on top. */
  replace(scene: AnnotatorScene): void {
    const before = new Set(this.state.annotations.keys());
    for (const kind of Object.values(this.subjects)) kind.load(scene);
    this.pending.forgetHidden();
    this.store.setState(this.stateOf(scene));
    for (const { edit, answer } of this.acknowledged ?? []) this.applyUnlessKnown(edit, answer);
    this.acknowledged = null;
    for (const uuid of scene.edits ?? []) this.pending.removeThrough(uuid);
    this.applyPendingEdits();
    const touched = new Set([...before, ...this.annotations.all().keys()]);
    this.publish({ origin: "remote", edits: [], annotations: touched, categories: true });
  }

  /** Adds a category that the server has just created, or replaces the category that it has renamed. */
  putCategory(category: SceneCategory): void {
    const isNew = this.category(category.id) === null;
    if (isNew) this.categories.add(category);
    else this.categories.change(category.id, category);
    const { dataset } = this.state;
    const now = isNew ? { ...dataset, categories: [...dataset.categories, category.id] } : dataset;
    this.store.setState({ ...this.subjectState(), dataset: now });
    this.publish({ origin: "remote", edits: [], annotations: new Set(), categories: true });
  }

  /** Merges dataset fields that the server has just stored. */
  putDataset(change: Partial<DocumentState["dataset"]>): void {
    this.store.setState({ dataset: { ...this.state.dataset, ...change } });
  }

  private stateOf({ dataset, permissions }: AnnotatorScene): DocumentState {
    return { dataset, permissions, ...this.subjectState() };
  }

  private subjectState(): Omit<DocumentState, "dataset" | "permissions"> {
    const { image, categories, annotations, comments } = this;
    const { numbered } = categories;
    return {
      ...{ image: image.value, categories: categories.all(), numbered },
      ...{ annotations: annotations.all(), deletedIds: annotations.deletedIds(), comments: comments.all() },
    };
  }

  private kindOf<S extends Subject>(edit: EditOf<S>): DocumentSubject<S> {
    return this.subjects[edit.subject];
  }

  /** Applies the pending edits to the server's state, oldest first. */
  private applyPendingEdits(): void {
    for (const edit of this.pending.all()) this.applyPendingEdit(edit);
  }

  /**
   * Applies an edit. An edit that hides another user's change will fail, so later edits are based on the same revision.
   */
  private applyPendingEdit(edit: Edit): void {
    const kind = this.kindOf(edit);
    const now = kind.find(edit);
    if (now && this.pending.hidesRemoteChange(edit, now)) {
      this.pending.hide(edit, kind.revisionOf(edit));
      kind.limitRevision(edit);
    }
    kind.apply(edit);
  }

  /**
   * Returns true if the scene was loaded after an edit was stored, and its subject was changed in between: the edit was
   * then applied on top of later changes.
   */
  private isFollowed(edit: Edit, { revision, image_revision }: EditAnswer): boolean {
    const isInScene = image_revision != null && image_revision <= this.state.image.revision;
    return isInScene && revision != null && revision !== this.kindOf(edit).revisionOf(edit);
  }

  /** Applies an acknowledged edit, unless the scene already includes it. */
  private applyUnlessKnown(edit: Edit, answer: EditAnswer): void {
    const kind = this.kindOf(edit);
    if ((answer.image_revision ?? Infinity) <= this.state.image.revision) return;
    if (kind.revisionOf(edit) >= (answer.revision ?? 0)) return;
    kind.apply(edit);
    kind.stamp(edit, answer);
  }

  private applyRemoteChange(change: Change): boolean {
    // The user's own edit that comes back as a stored change needs no further acknowledgement.
    const isOwn = change.edit !== null && this.pending.removeThrough(change.edit);
    const kind = this.subjects[change.subject];
    const later = this.pending.of(change);
    if (isReplayed(change, later, isOwn)) {
      const isWhole = kind.applyChange(change, new Set(), isOwn);
      for (const edit of later) this.applyPendingEdit(edit);
      return isWhole;
    }
    const { change: applied, keep, isMoved } = this.pending.beneath(change);
    const isWhole = kind.applyChange(applied, keep, isOwn) && (isOwn || !isMoved);
    if (later[0] && this.kindOf(later[0]).revisionOf(later[0]) < change.revision)
      this.pending.hide(later[0], change.revision);
    return isWhole;
  }

  private publish(change: DocumentChange): void {
    this.show();
    for (const listener of [...this.listeners]) listener(change);
  }

  /** Copies the subjects to the store. */
  private show(): void {
    this.store.setState(this.subjectState());
  }
}

/**
 * Returns true if a change is applied as a whole, and the later pending edits on top again: the user may have deleted or
 * restored the subject since, also if another user has deleted it too. An own change of a comment has values that only
 * the server knows.
 */
function isReplayed({ action, subject }: Change, later: readonly Edit[], isOwn: boolean): boolean {
  if (isOwn) return action !== "modify" || subject === "comment";
  return action === "delete" && later.some((edit) => edit.action === "create");
}
