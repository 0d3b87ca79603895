import { createStore } from "zustand/vanilla";
import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { AnnotationEdit, Change, Edit, EditAnswer } from "../../../shared/edits/edit";
import type { Annotation } from "../../../shared/entities/annotation";
import { moveKeypoints } from "../../../shared/rules/keypointTriples";
import { definitionOf, withFields } from "../keypoints/model/definition";
import { Annotations } from "./annotations";
import { categoryNumbers } from "./categoryNumbers";
import { hasSameField, PendingEdits } from "./pendingEdits";

export type SceneImage = AnnotatorScene["image"] & {
  /**
   * The base revision for edits of labels and metadata, where it differs from the image's: it stays below remote
   * changes that are hidden here by pending edits.
   */
  fieldsRevision?: number;
};
export type SceneCategory = Omit<AnnotatorScene["categories"][number], "annotations">;

/** local: a new edit of the user. undo: undo or redo of one. remote: an event or response of the server. */
export type Origin = "local" | "undo" | "remote";

export interface DocumentState {
  image: SceneImage;
  dataset: AnnotatorScene["dataset"];
  permissions: AnnotatorScene["permissions"];
  /** Categories in the order of the tree. */
  categories: readonly SceneCategory[];
  /** Ids of the categories in the order of the digit keys. */
  numbered: readonly number[];
  annotations: ReadonlyMap<string, Annotation>;
}

export interface DocumentChange {
  origin: Origin;
  /** The edits behind a local change; empty for remote ones. */
  edits: readonly Edit[];
  /** Uuids of annotations that were created, modified or deleted. */
  annotations: ReadonlySet<string>;
  /** True if a category has changed. */
  categories: boolean;
  /** Names of the users who deleted annotations, by uuid, as far as the server has sent them. */
  deletedBy?: ReadonlyMap<string, string>;
}

/** Returns the base revision for edits of the image's own fields. */
export const imageBase = ({ revision, fieldsRevision }: SceneImage): number => fieldsRevision ?? revision;

type Listener = (change: DocumentChange) => void;

/**
 * The open image's annotations and categories, and the only writer of shapes. Every change is either an edit of the
 * user (`apply`) or comes from the server, and is announced to the listeners: history, journal, canvas. State is
 * immutable: a changed annotation is a new object.
 */
export class AnnotatorDocument {
  readonly store;
  private readonly annotations: Annotations;
  private readonly listeners = new Set<Listener>();
  private readonly pending = new PendingEdits();
  /** For each of the image's own fields, the revision in which an edit of this tab stored it. */
  private readonly imageFields = new Map<string, number>();
  /** Users who have the image open; null until the first presence event. A scene that arrives later may be older. */
  private users: string[] | null = null;
  /** Acknowledgements received while the image is being reloaded; null at other times. */
  private acknowledged: { edit: Edit; answer: EditAnswer }[] | null = null;

  /** `username`: the user's name, null if login is disabled. */
  constructor(scene: AnnotatorScene, username: string | null) {
    this.annotations = new Annotations(username);
    this.store = createStore<DocumentState>(() => this.stateOf(scene));
  }

  get state(): DocumentState {
    return this.store.getState();
  }

  annotation(uuid: string | null): Annotation | null {
    return (uuid !== null && this.state.annotations.get(uuid)) || null;
  }

  /** Returns an annotation that was deleted here as it was before, so that undo can restore it. */
  deleted(uuid: string): Annotation | null {
    return this.annotations.deleted(uuid);
  }

  category(id: number | null): SceneCategory | null {
    return this.state.categories.find((category) => category.id === id) ?? null;
  }

  /** Returns a category's annotations in the order in which they were loaded or created. */
  ofCategory(id: number): Annotation[] {
    return [...this.state.annotations.values()].filter((annotation) => annotation.category_id === id);
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Applies the user's edits. An edit of a subject that is not here changes nothing, but is still announced. */
  apply(edits: readonly Edit[], origin: "local" | "undo"): void {
    if (edits.length === 0) return;
    for (const edit of edits) {
      this.pending.add(edit);
      this.change(edit);
    }
    this.publish({
      origin,
      edits,
      annotations: new Set(edits.filter(isAnnotationEdit).map((edit) => edit.target)),
      categories: edits.some((edit) => edit.subject === "category"),
    });
  }

  /**
   * Stores ids and revisions from the server's response to edits. Conflicts and refusals change nothing here; the sink
   * keeps them. Returns false if another user's change of the same subject has not arrived here yet.
   */
  acknowledge(answers: readonly EditAnswer[]): boolean {
    let isWhole = true;
    for (const answer of answers) {
      const edit = this.pending.remove(answer.uuid);
      if (!edit) continue;
      if (answer.status !== "applied" && answer.status !== "seen") continue;
      this.acknowledged?.push({ edit, answer });
      isWhole = this.stamp(edit, answer.id ?? null, answer.revision ?? null) && isWhole;
    }
    this.store.setState({ annotations: this.annotations.all() });
    return isWhole;
  }

  /** Clears the pending edits. Those without an acknowledgement here were sent and acknowledged in another tab. */
  clearPendingEdits(): void {
    this.pending.clear();
  }

  /** Records acknowledgements until `replace` is called, because the scene that it gets may be older. */
  expectReplacement(): void {
    this.acknowledged = [];
  }

  /** Ends `expectReplacement` when the scene could not be loaded. */
  stopExpectingReplacement(): void {
    this.acknowledged = null;
  }

  /** Applies edits that were journalled before the image was opened to the server's scene, without announcing them. */
  addPendingEdits(edits: readonly Edit[]): void {
    for (const edit of edits) this.pending.add(edit);
    this.applyPendingEdits();
    this.store.setState({ annotations: this.annotations.all() });
  }

  /** Shows the users who have the image open. */
  showUsers(annotating: string[]): void {
    this.users = annotating;
    this.store.setState(({ image }) => ({ image: { ...image, annotating } }));
  }

  /**
   * Applies changes of others (or of this user elsewhere) up to the image's `revision`. Fields with pending edits keep
   * the user's values, and changes that are already here do nothing. Returns false if a category was changed in between
   * from another image: such a change is sent only to that image's room, so this image must be reloaded.
   */
  applyRemote(changes: readonly Change[], revision: number): boolean {
    const isWhole = changes.map((change) => this.applyRemoteChange(change)).every(Boolean);
    const { image } = this.state;
    this.store.setState({ image: { ...image, revision: Math.max(image.revision, revision) } });
    if (changes.length === 0) return true;
    const touched = changes.filter((change) => change.subject === "annotation").map((change) => change.subject_id);
    const categories = changes.some((change) => change.subject === "category");
    const deletions = changes.filter(({ subject, action }) => subject === "annotation" && action === "delete");
    const deletedBy = new Map(deletions.map(({ subject_id, user }) => [subject_id, user]));
    this.publish({ origin: "remote", edits: [], annotations: new Set(touched), categories, deletedBy });
    return isWhole;
  }

  /** Replaces everything with the server's current scene, with pending edits on top. */
  replace(scene: AnnotatorScene): void {
    const before = new Set(this.state.annotations.keys());
    this.store.setState(this.stateOf(scene));
    for (const { edit, answer } of this.acknowledged ?? []) this.applyUnlessKnown(edit, answer);
    this.acknowledged = null;
    this.applyPendingEdits();
    const touched = new Set([...before, ...this.annotations.all().keys()]);
    this.publish({ origin: "remote", edits: [], annotations: touched, categories: true });
  }

  /** Adds a category that the server has just created, or replaces the one it has renamed. */
  putCategory(category: SceneCategory): void {
    const known = this.category(category.id) !== null;
    if (known) this.changeCategory(category.id, category);
    else this.addCategory(category);
    this.publish({ origin: "remote", edits: [], annotations: new Set(), categories: true });
  }

  /** Merges dataset fields that the server has just stored. */
  putDataset(change: Partial<DocumentState["dataset"]>): void {
    this.store.setState({ dataset: { ...this.state.dataset, ...change } });
  }

  private stateOf(scene: AnnotatorScene): DocumentState {
    const { dataset, permissions } = scene;
    const image = this.users ? { ...scene.image, annotating: this.users } : scene.image;
    this.annotations.load(scene.categories.flatMap((category) => category.annotations));
    // Categories with annotations come first: in a dataset with eighty categories, users look for those.
    const used = scene.categories.toSorted(
      (a, b) => Number(b.annotations.length > 0) - Number(a.annotations.length > 0),
    );
    const categories = used.map(({ annotations: _, ...category }) => category);
    const numbered = categoryNumbers(categories, dataset.categories);
    return { image, dataset, permissions, categories, numbered, annotations: this.annotations.all() };
  }

  /** Applies the pending edits to the server's state, oldest first. */
  private applyPendingEdits(): void {
    for (const edit of this.pending.all()) {
      const now = this.subjectOf(edit);
      if (now && this.pending.hidesRemoteChange(edit, now)) this.limitRevision(edit);
      this.change(edit);
    }
  }

  /** Keeps the subject's revision at the edit's base, so that the server reports the next edit as a conflict, too. */
  private limitRevision(edit: Edit): void {
    const { image } = this.state;
    if (edit.subject === "annotation") this.annotations.limitRevision(edit.target, edit.base);
    if (edit.subject === "category")
      this.changeCategory(edit.target, { revision: Math.min(this.revisionOf(edit), edit.base) });
    if (edit.subject === "image")
      this.store.setState({ image: { ...image, fieldsRevision: Math.min(imageBase(image), edit.base) } });
  }

  private subjectOf(edit: Edit): object | null {
    if (edit.subject === "annotation") return this.annotations.get(edit.target);
    return edit.subject === "category" ? this.category(edit.target) : this.state.image;
  }

  private change(edit: Edit): void {
    if (edit.subject === "annotation") this.changeAnnotation(edit);
    if (edit.subject === "category") this.changeCategory(edit.target, edit.after);
    if (edit.subject === "image") this.changeImage(edit.after);
  }

  /** Moves the keypoints to the labels of the same names when the category changes, as the server does. */
  private changeAnnotation(edit: AnnotationEdit): void {
    const before = this.annotations.get(edit.target);
    this.annotations.apply(edit);
    const { category_id, keypoints } = edit.after;
    const from = this.category(before?.category_id ?? null);
    const to = this.category(category_id ?? null);
    if (edit.action !== "modify" || keypoints || !from || !to || from === to || !before?.keypoints?.length) return;
    const moved = moveKeypoints(before.keypoints, definitionOf(from), definitionOf(to));
    this.annotations.change(edit.target, { keypoints: moved.points });
    this.changeCategory(to.id, { keypoint_removed: moved.to.removed });
  }

  private addCategory(category: SceneCategory): void {
    const categories = [...this.state.categories, category];
    const dataset = { ...this.state.dataset, categories: [...this.state.dataset.categories, category.id] };
    this.store.setState({ categories, dataset, numbered: categoryNumbers(categories, dataset.categories) });
  }

  private changeCategory(id: number, fields: Partial<SceneCategory>): void {
    const categories = this.state.categories.map((old) => (old.id === id ? withFields(old, fields) : old));
    this.store.setState({ categories });
  }

  private changeImage(after: Extract<Edit, { subject: "image" }>["after"]): void {
    const { labels, metadata } = after;
    const image = { ...this.state.image };
    if (labels) image.labels = labels;
    if (metadata) image.metadata = metadata;
    this.store.setState({ image });
  }

  /** Returns false if another user's change came in between; the revision then stays until that change is here. */
  private stamp(edit: Edit, id: number | null, revision: number | null): boolean {
    if (edit.subject === "annotation") return this.annotations.stamp(edit.target, id, revision);
    if (revision === null) return true;
    if (edit.subject === "image") {
      for (const field of Object.keys(edit.after)) this.imageFields.set(field, revision);
      return true;
    }
    const known = this.category(edit.target)?.revision ?? revision;
    if (revision === known + 1) this.changeCategory(edit.target, { revision });
    return revision <= known + 1;
  }

  /** Applies an edit that was stored after the server had read the scene. */
  private applyUnlessKnown(edit: Edit, { id, revision }: EditAnswer): void {
    if (this.revisionOf(edit) >= (revision ?? 0)) return;
    this.change(edit);
    this.stamp(edit, id ?? null, revision ?? null);
  }

  private revisionOf(edit: Edit): number {
    if (edit.subject === "annotation") return this.annotations.revisionOf(edit.target);
    return (edit.subject === "category" ? this.category(edit.target) : this.state.image)?.revision ?? -1;
  }

  private applyRemoteChange(change: Change): boolean {
    const { subject, subject_id, revision } = change;
    // The user's own edit that comes back as a stored change needs no acknowledgement any more.
    const isOwn = change.edit !== null && this.pending.remove(change.edit) !== undefined;
    if (subject === "image") return this.applyToImage(change, isOwn);
    const keep = this.pending.fieldsOf(subject, subject_id);
    const entries = Object.entries(change.fields);
    const fields = Object.fromEntries(entries.filter(([field]) => !keep.has(field)));
    const isPartial = !isOwn && Object.keys(fields).length < entries.length;
    if (subject === "annotation") this.annotations.applyChange({ ...change, fields }, this.state.image.id, isPartial);
    else return this.applyToCategory(Number(subject_id), fields, revision, isPartial);
    return true;
  }

  /** A remote change hidden by a pending edit does not count as seen, so that a later edit is not based on it. */
  private applyToImage({ fields, revision }: Change, isOwn: boolean): true {
    const { image } = this.state;
    const keep = this.pending.fieldsOf("image", String(image.id));
    const newer = this.newerFields(fields, revision);
    const isHidden = Object.keys(newer).some((field) => keep.has(field) && !hasSameField(newer, image, field));
    if (isHidden && !isOwn)
      this.store.setState({ image: { ...image, fieldsRevision: Math.min(imageBase(image), revision - 1) } });
    this.changeImage(Object.fromEntries(Object.entries(newer).filter(([field]) => !keep.has(field))));
    return true;
  }

  /** Raises the revision as for an annotation (see Annotations). Returns false if another change came in between. */
  private applyToCategory(id: number, fields: Change["fields"], revision: number, isPartial: boolean): boolean {
    const known = this.category(id);
    if (!known || known.revision >= revision) return true;
    const isNext = revision === known.revision + 1;
    this.changeCategory(id, { ...fields, ...(isNext && !isPartial && { revision }) });
    return isNext || isPartial;
  }

  /** Returns the fields that this tab has not stored in a later revision. */
  private newerFields(fields: Change["fields"], revision: number): Change["fields"] {
    const isNewer = (field: string) => (this.imageFields.get(field) ?? -1) < revision;
    return Object.fromEntries(Object.entries(fields).filter(([field]) => isNewer(field)));
  }

  private publish(change: DocumentChange): void {
    this.store.setState({ annotations: this.annotations.all() });
    for (const listener of [...this.listeners]) listener(change);
  }
}

const isAnnotationEdit = (edit: Edit): edit is AnnotationEdit => edit.subject === "annotation";
