import { createStore } from "zustand/vanilla";
import type { Annotation } from "../../../shared/entities/annotation";
import { foldText } from "../../../shared/text/fold";

export interface SearchState {
  /** Search text for category names. */
  categories: string;
  /** Search texts for a category's annotations, by category id. */
  annotations: ReadonlyMap<number, string>;
  /** The search field that should take the focus: that of a category (its id) or that of the categories. */
  focus: number | "categories" | null;
}

/** The user's search in the tree, which limits its rows and the arrow keys. */
export class Search {
  readonly store = createStore<SearchState>(() => ({ categories: "", annotations: new Map(), focus: null }));

  get state(): SearchState {
    return this.store.getState();
  }

  findCategories(categories: string): void {
    this.store.setState({ categories });
  }

  /** Asks a search field to take the focus. The field resets this to null when it has the focus. */
  requestFocus(focus: SearchState["focus"]): void {
    this.store.setState({ focus });
  }

  findAnnotations(categoryId: number, text: string): void {
    const annotations = new Map(this.state.annotations);
    if (text === "") annotations.delete(categoryId);
    else annotations.set(categoryId, text);
    this.store.setState({ annotations });
  }
}

/** Smallest number of annotations for which a category has a search field. */
export const ANNOTATION_SEARCH_FROM = 2;

/** Returns true if an annotation matches a search: by exact id, exact number in the category, or part of its name. */
export function matchesSearch({ id, metadata }: Annotation, number: number, text: string): boolean {
  const wanted = foldText(text.trim());
  if (wanted === "" || (id !== null && wanted === String(id)) || wanted === String(number)) return true;
  return typeof metadata.name === "string" && foldText(metadata.name).includes(wanted);
}
