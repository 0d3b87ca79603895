import { createStore } from "zustand/vanilla";

/** The user's selection: a category, annotations, a keypoint of the main one. Null means none. */
export interface SelectionState {
  category: number | null;
  /** Uuid of the main selected annotation, which tools work on. Null if and only if `all` is empty. */
  annotation: string | null;
  /** Uuids of all selected annotations, the main one included. */
  all: ReadonlySet<string>;
  /** Stable id of the keypoint's label. */
  keypoint: number | null;
  /** Uuid of the annotation under the pointer, on the image or in the tree. */
  hovered: string | null;
}

interface Selectable {
  uuid: string;
  category_id: number;
}

const NONE: ReadonlySet<string> = new Set();

const isEqual = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((item) => b.has(item));

export class Selection {
  readonly store = createStore<SelectionState>(() => ({
    category: null,
    annotation: null,
    all: NONE,
    keypoint: null,
    hovered: null,
  }));

  get state(): SelectionState {
    return this.store.getState();
  }

  /** True if more than one annotation is selected. */
  get isMany(): boolean {
    return this.state.all.size > 1;
  }

  selectCategory(category: number | null): void {
    this.store.setState({ category, annotation: null, all: NONE, keypoint: null });
  }

  /** Selects one annotation and no other; null selects none. */
  selectAnnotation(annotation: Selectable | null): void {
    if (!annotation) this.store.setState({ annotation: null, all: NONE, keypoint: null });
    else {
      const { uuid, category_id: category } = annotation;
      this.store.setState({ category, annotation: uuid, all: new Set([uuid]), keypoint: null });
    }
  }

  /**
   * Selects exactly these annotations. The main one is `wanted`; without it, the current main one if it is among them,
   * otherwise the first.
   */
  selectAnnotations(annotations: readonly Selectable[], wanted?: Selectable): void {
    const main = wanted ?? annotations.find(({ uuid }) => uuid === this.state.annotation) ?? annotations[0];
    if (!main) this.selectAnnotation(null);
    else {
      const wantedAll = new Set(annotations.map(({ uuid }) => uuid));
      // Keeps the same set, because with another one thousands of shapes would be marked and listed again.
      const all = isEqual(wantedAll, this.state.all) ? this.state.all : wantedAll;
      this.store.setState({ category: main.category_id, annotation: main.uuid, all, keypoint: null });
    }
  }

  /** Selects a label of the selected annotation, placed or not; null for none. */
  selectKeypoint(keypoint: number | null): void {
    if (this.state.keypoint !== keypoint) this.store.setState({ keypoint });
  }

  hover(uuid: string | null): void {
    if (this.state.hovered !== uuid) this.store.setState({ hovered: uuid });
  }

  /**
   * Moves the selection out one level: keypoint, annotations, category, nothing. Returns false if nothing was selected.
   */
  stepOut(): boolean {
    const { category, annotation, keypoint } = this.state;
    if (keypoint !== null) this.store.setState({ keypoint: null });
    else if (annotation !== null) this.selectAnnotation(null);
    else if (category !== null) this.store.setState({ category: null });
    else return false;
    return true;
  }
}
