import { createStore } from "zustand/vanilla";

/** The user's selection: a category, one of its annotations, one of its keypoints. Null means none. */
export interface SelectionState {
  category: number | null;
  annotation: string | null;
  /** Stable id of the keypoint's label. */
  keypoint: number | null;
  /** Uuid of the annotation under the pointer, on the image or in the tree. */
  hovered: string | null;
}

export class Selection {
  readonly store = createStore<SelectionState>(() => ({
    category: null,
    annotation: null,
    keypoint: null,
    hovered: null,
  }));

  get state(): SelectionState {
    return this.store.getState();
  }

  selectCategory(category: number | null): void {
    this.store.setState({ category, annotation: null, keypoint: null });
  }

  selectAnnotation(annotation: { uuid: string; category_id: number } | null): void {
    if (annotation)
      this.store.setState({ category: annotation.category_id, annotation: annotation.uuid, keypoint: null });
    else this.store.setState({ annotation: null, keypoint: null });
  }

  /** Selects a label of the selected annotation, placed or not; null for none. */
  selectKeypoint(keypoint: number | null): void {
    if (this.state.keypoint !== keypoint) this.store.setState({ keypoint });
  }

  hover(uuid: string | null): void {
    if (this.state.hovered !== uuid) this.store.setState({ hovered: uuid });
  }

  /**
   * Moves the selection out one level: keypoint, annotation, category, nothing. Returns false if nothing was selected.
   */
  stepOut(): boolean {
    const { category, annotation, keypoint } = this.state;
    if (keypoint !== null) this.store.setState({ keypoint: null });
    else if (annotation !== null) this.store.setState({ annotation: null });
    else if (category !== null) this.store.setState({ category: null });
    else return false;
    return true;
  }
}
