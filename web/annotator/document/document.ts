import { createStore } from "zustand/vanilla";
import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { AnnotationEdit, Change, Edit, EditAnswer } from "../../../shared/edits/edit";
import type { Annotation } from "../../../shared/entities/annotation";
import { moveKeypoints } from "../../../shared/rules/keypointTriples";
import { definitionOf, withFields } from "../keypoints/model/definition";
import { Annotations } from "./annotations";
import { categoryNumbers } from "./categoryNumbers";
import { has, Unanswered } from "./unanswered";

export type SceneImage = AnnotatorScene["image"] & {
  /**
   * The revision on which labels and metadata stand, where that is not the picture's: it does not rise over what
   * somebody else made of them and is not shown here.
   */
  fieldsRevision?: number;
};
export type SceneCategory = Omit<AnnotatorScene["categories"][number], "annotations">;

/** local: the person's hand, new. undo: undo or redo of that. remote: the server told. */
export type Origin = "local" | "undo" | "remote";

export interface DocumentState {
  image: SceneImage;
  dataset: AnnotatorScene["dataset"];
  permissions: AnnotatorScene["permissions"];
  /** As they are listed. */
  categories: readonly SceneCategory[];
  /** Their ids as the digits count them. */
  numbered: readonly number[];
  annotations: ReadonlyMap<string, Annotation>;
}

export interface DocumentChange {
  origin: Origin;
  /** The edits behind a local change; empty for remote ones. */
  edits: readonly Edit[];
  /** Uuids of annotations that were made, changed or taken away. */
  annotations: ReadonlySet<string>;
  /** The look of categories has changed. */
  categories: boolean;
  /** Names of those who deleted annotations, by uuid, where the server has told them. */
  deletedBy?: ReadonlyMap<string, string>;
}

/** The revision on which a picture's own fields stand here. */
export const imageBase = ({ revision, fieldsRevision }: SceneImage): number => fieldsRevision ?? revision;

type Listener = (change: DocumentChange) => void;

/**
 * The open picture's annotations and categories, and the only writer of shapes. Everything that changes goes through
 * `apply` (the person's edits) or through what the server tells, and is announced to the listeners: history, journal,
 * canvas. State is immutable: a changed annotation is a new object.
 */
export class AnnotatorDocument {
  readonly store;
  private readonly annotations: Annotations;
  private readonly listeners = new Set<Listener>();
  private readonly unanswered = new Unanswered();
  /** The picture's revision in which each of its own fields was stored by an edit of this tab. */
  private readonly imageFields = new Map<string, number>();
  /** Users at the image by the live connection; null until it has said so. A scene that comes later may be older. */
  private people: string[] | null = null;
  /** What was answered while the picture is being loaded again. */
  private answered: { edit: Edit; answer: EditAnswer }[] | null = null;

  /** `maker`: the person's name, null where there are no accounts. */
  constructor(scene: AnnotatorScene, maker: string | null) {
    this.annotations = new Annotations(maker);
    this.store = createStore<DocumentState>(() => this.stateOf(scene));
  }

  get state(): DocumentState {
    return this.store.getState();
  }

  annotation(uuid: string | null): Annotation | null {
    return (uuid !== null && this.state.annotations.get(uuid)) || null;
  }

  /** An annotation that was deleted here, as it was: undo brings it back. */
  deleted(uuid: string): Annotation | null {
    return this.annotations.deleted(uuid);
  }

  category(id: number | null): SceneCategory | null {
    return this.state.categories.find((category) => category.id === id) ?? null;
  }

  /** Annotations of a category in the order in which they came or were made. */
  ofCategory(id: number): Annotation[] {
    return [...this.state.annotations.values()].filter((annotation) => annotation.category_id === id);
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Takes over edits of the person. Edits of subjects that are not here change nothing and are announced all the same. */
  apply(edits: readonly Edit[], origin: "local" | "undo"): void {
    if (edits.length === 0) return;
    for (const edit of edits) {
      this.unanswered.add(edit);
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
   * The server's answers: numbers and revisions. A conflict or a refusal changes nothing here; the sink keeps it. Answers
   * false where somebody else has changed the same meanwhile, which is not known here yet.
   */
  acknowledge(answers: readonly EditAnswer[]): boolean {
    let isWhole = true;
    for (const answer of answers) {
      const edit = this.unanswered.take(answer.uuid);
      if (!edit) continue;
      if (answer.status !== "applied" && answer.status !== "seen") continue;
      this.answered?.push({ edit, answer });
      isWhole = this.stamp(edit, answer.id ?? null, answer.revision ?? null) && isWhole;
    }
    this.store.setState({ annotations: this.annotations.all() });
    return isWhole;
  }

  /** Nothing waits for an answer any more: what was not told (another tab has sent it) has had one. */
  allAnswered(): void {
    this.unanswered.clear();
  }

  /** From here to `replace`, what the server answers is remembered: the picture that it sends may be older. */
  expectReplacement(): void {
    this.answered = [];
  }

  /** The picture does not come after all. */
  stopExpecting(): void {
    this.answered = null;
  }

  /** Edits that were journalled before the picture was opened: laid over what the server answered, told to nobody. */
  overlay(edits: readonly Edit[]): void {
    for (const edit of edits) this.unanswered.add(edit);
    this.layUnanswered();
    this.store.setState({ annotations: this.annotations.all() });
  }

  /** Who has the picture open. */
  showPeople(annotating: string[]): void {
    this.people = annotating;
    this.store.setState(({ image }) => ({ image: { ...image, annotating } }));
  }

  /**
   * What others (or this person elsewhere) have changed up to the picture's `revision`. Fields under own unanswered edits
   * stay as the person left them, and what the document has already does nothing. Answers false where a category was
   * changed in between from another picture, which is told to that one alone: then this one must be loaded again.
   */
  applyRemote(changes: readonly Change[], revision: number): boolean {
    const isWhole = changes.map((change) => this.takeOver(change)).every(Boolean);
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

  /** The picture as the server has it now, with own unanswered edits on top. */
  replace(scene: AnnotatorScene): void {
    const before = new Set(this.state.annotations.keys());
    this.store.setState(this.stateOf(scene));
    for (const { edit, answer } of this.answered ?? []) this.layOver(edit, answer);
    this.answered = null;
    this.layUnanswered();
    const touched = new Set([...before, ...this.annotations.all().keys()]);
    this.publish({ origin: "remote", edits: [], annotations: touched, categories: true });
  }

  /** A category as the server has just answered it (made, renamed): added to the dataset's, or put in place of the old one. */
  putCategory(category: SceneCategory): void {
    const known = this.category(category.id) !== null;
    if (known) this.changeCategory(category.id, category);
    else this.addCategory(category);
    this.publish({ origin: "remote", edits: [], annotations: new Set(), categories: true });
  }

  /** What the server has just taken over of the dataset. */
  putDataset(change: Partial<DocumentState["dataset"]>): void {
    this.store.setState({ dataset: { ...this.state.dataset, ...change } });
  }

  private stateOf(scene: AnnotatorScene): DocumentState {
    const { dataset, permissions } = scene;
    const image = this.people ? { ...scene.image, annotating: this.people } : scene.image;
    this.annotations.load(scene.categories.flatMap((category) => category.annotations));
    // Those that the picture has come first: in a dataset with eighty categories they are what one looks for.
    const used = scene.categories.toSorted(
      (a, b) => Number(b.annotations.length > 0) - Number(a.annotations.length > 0),
    );
    const categories = used.map(({ annotations: _, ...category }) => category);
    const numbered = categoryNumbers(categories, dataset.categories);
    return { image, dataset, permissions, categories, numbered, annotations: this.annotations.all() };
  }

  /** Own unanswered edits on top of what the server has told, oldest first. */
  private layUnanswered(): void {
    for (const edit of this.unanswered.all()) {
      const now = this.subjectOf(edit);
      if (now && this.unanswered.hidesOthers(edit, now)) this.holdRevision(edit);
      this.change(edit);
    }
  }

  /** What is drawn next is made on no more than the edit's maker saw, so that the server sees the conflict. */
  private holdRevision(edit: Edit): void {
    const { image } = this.state;
    if (edit.subject === "annotation") this.annotations.holdRevision(edit.target, edit.base);
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

  /** In another category its keypoints stand on the labels of the same names, as on the server. */
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

  /** Answers whether nothing of somebody else's lies between; where it does the revision stays, until that is here. */
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

  /** An edit that was stored after the picture was read. */
  private layOver(edit: Edit, { id, revision }: EditAnswer): void {
    if (this.revisionOf(edit) >= (revision ?? 0)) return;
    this.change(edit);
    this.stamp(edit, id ?? null, revision ?? null);
  }

  private revisionOf(edit: Edit): number {
    if (edit.subject === "annotation") return this.annotations.revisionOf(edit.target);
    return (edit.subject === "category" ? this.category(edit.target) : this.state.image)?.revision ?? -1;
  }

  private takeOver(change: Change): boolean {
    const { subject, subject_id, revision } = change;
    // What is told as stored needs no answer any more.
    const isOwn = change.edit !== null && this.unanswered.take(change.edit) !== undefined;
    if (subject === "image") return this.takeOverImage(change, isOwn);
    const keep = this.unanswered.fieldsOf(subject, subject_id);
    const entries = Object.entries(change.fields);
    const fields = Object.fromEntries(entries.filter(([field]) => !keep.has(field)));
    const isPartial = !isOwn && Object.keys(fields).length < entries.length;
    if (subject === "annotation") this.annotations.applyChange({ ...change, fields }, this.state.image.id, isPartial);
    else return this.takeOverCategory(Number(subject_id), fields, revision, isPartial);
    return true;
  }

  /** What own unanswered work hides of somebody else's does not count as seen: a later edit must not stand on it. */
  private takeOverImage({ fields, revision }: Change, isOwn: boolean): true {
    const { image } = this.state;
    const keep = this.unanswered.fieldsOf("image", String(image.id));
    const news = this.newer(fields, revision);
    const isHidden = Object.keys(news).some((field) => keep.has(field) && !has(news, image, field));
    if (isHidden && !isOwn)
      this.store.setState({ image: { ...image, fieldsRevision: Math.min(imageBase(image), revision - 1) } });
    this.changeImage(Object.fromEntries(Object.entries(news).filter(([field]) => !keep.has(field))));
    return true;
  }

  /** The revision rises as an annotation's does (see Annotations). Answers whether none lies between. */
  private takeOverCategory(id: number, fields: Change["fields"], revision: number, isPartial: boolean): boolean {
    const known = this.category(id);
    if (!known || known.revision >= revision) return true;
    const isNext = revision === known.revision + 1;
    this.changeCategory(id, { ...fields, ...(isNext && !isPartial && { revision }) });
    return isNext || isPartial;
  }

  /** Without the fields that this tab has changed later than that, as the server has answered meanwhile. */
  private newer(fields: Change["fields"], revision: number): Change["fields"] {
    const isNewer = (field: string) => (this.imageFields.get(field) ?? -1) < revision;
    return Object.fromEntries(Object.entries(fields).filter(([field]) => isNewer(field)));
  }

  private publish(change: DocumentChange): void {
    this.store.setState({ annotations: this.annotations.all() });
    for (const listener of [...this.listeners]) listener(change);
  }
}

const isAnnotationEdit = (edit: Edit): edit is AnnotationEdit => edit.subject === "annotation";
