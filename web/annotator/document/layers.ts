import { createStore } from "zustand/vanilla";
import type { Annotation } from "../../../shared/entities/annotation";
import type { AnnotatorDocument } from "./document";

export interface LayersState {
  /** Categories whose annotations are painted. */
  shown: ReadonlySet<number>;
  /** Single annotations that are not. */
  hidden: ReadonlySet<string>;
  /** Categories whose annotations the tree lists; these are painted in their own colours. */
  expanded: ReadonlySet<number>;
  /** True if the tree lists the keypoints of the annotation in hand. */
  keypoints: boolean;
}

/** Visibility of categories and annotations, their state in the tree, and the colours that follow from it. */
export class Layers {
  readonly store = createStore<LayersState>(() => ({
    shown: new Set(),
    hidden: new Set(),
    expanded: new Set(),
    keypoints: true,
  }));

  /** Categories that the person has hidden: what others make in them stays hidden too. */
  private readonly putAway = new Set<number>();

  constructor(private readonly document: AnnotatorDocument) {
    this.showAll();
    document.listen(({ origin, annotations }) => origin === "remote" && this.showNewcomers(annotations));
  }

  get state(): LayersState {
    return this.store.getState();
  }

  /** Shows the categories that have annotations, as at the start. */
  showAll(): void {
    const used = [...this.document.state.annotations.values()].map((annotation) => annotation.category_id);
    this.putAway.clear();
    this.store.setState({ shown: new Set(used), hidden: new Set() });
  }

  hideAll(): void {
    for (const { id } of this.document.state.categories) this.putAway.add(id);
    this.store.setState({ shown: new Set(), expanded: new Set() });
  }

  /** A category is not shown as long as it has no annotations: its first ones may come from somebody else. */
  private showNewcomers(uuids: ReadonlySet<string>): void {
    const categories = new Set([...uuids].map((uuid) => this.document.annotation(uuid)?.category_id));
    for (const id of categories)
      if (id !== undefined && !this.state.shown.has(id) && !this.putAway.has(id)) this.showCategory(id);
  }

  isVisible(annotation: Annotation): boolean {
    return this.state.shown.has(annotation.category_id) && !this.state.hidden.has(annotation.uuid);
  }

  /** Category collapsed: the category's colour. Expanded: each annotation's own. */
  colorOf(annotation: Annotation): string {
    if (this.state.expanded.has(annotation.category_id)) return annotation.color;
    return this.document.category(annotation.category_id)?.color ?? annotation.color;
  }

  /** Hiding a category closes it as well. */
  toggleCategory(id: number): void {
    const show = !this.state.shown.has(id);
    if (show) this.putAway.delete(id);
    else this.putAway.add(id);
    this.store.setState({ shown: toggled(this.state.shown, id, show) });
    if (!show) this.expand(id, false);
  }

  toggleAnnotation(uuid: string): void {
    this.store.setState({ hidden: toggled(this.state.hidden, uuid, !this.state.hidden.has(uuid)) });
  }

  showCategory(id: number): void {
    if (!this.state.shown.has(id)) this.store.setState({ shown: toggled(this.state.shown, id, true) });
  }

  /** An annotation that is selected or has just been drawn must be seen. */
  reveal(annotation: { uuid: string; category_id: number }): void {
    this.showCategory(annotation.category_id);
    if (this.state.hidden.has(annotation.uuid))
      this.store.setState({ hidden: toggled(this.state.hidden, annotation.uuid, false) });
  }

  listKeypoints(keypoints: boolean): void {
    if (this.state.keypoints !== keypoints) this.store.setState({ keypoints });
  }

  /** Opening a category shows it as well. */
  expand(id: number, open: boolean): void {
    if (open) this.showCategory(id);
    if (this.state.expanded.has(id) !== open) this.store.setState({ expanded: toggled(this.state.expanded, id, open) });
  }
}

function toggled<T>(set: ReadonlySet<T>, item: T, present: boolean): ReadonlySet<T> {
  const next = new Set(set);
  if (present) next.add(item);
  else next.delete(item);
  return next;
}
