import { createStore } from "zustand/vanilla";
import type { Annotation } from "../../../shared/entities/annotation";

export interface SearchState {
  /** Part of a category's name. */
  categories: string;
  /** Search texts for the annotations of a category, by its id. */
  annotations: ReadonlyMap<number, string>;
  /** The field that is to take the focus: of a category, or of the categories themselves. */
  wanted: number | "categories" | null;
}

/** The user's search in the tree; its lines and the arrow keys follow it. */
export class Search {
  readonly store = createStore<SearchState>(() => ({ categories: "", annotations: new Map(), wanted: null }));

  get state(): SearchState {
    return this.store.getState();
  }

  findCategories(categories: string): void {
    this.store.setState({ categories });
  }

  /** Asks a field to take the focus; it says so with null when it has. */
  want(wanted: SearchState["wanted"]): void {
    this.store.setState({ wanted });
  }

  findAnnotations(categoryId: number, text: string): void {
    const annotations = new Map(this.state.annotations);
    if (text === "") annotations.delete(categoryId);
    else annotations.set(categoryId, text);
    this.store.setState({ annotations });
  }
}

/** Below this number of annotations in a category there is nothing to look for. */
export const ANNOTATION_SEARCH_FROM = 2;

/** Returns true if an annotation matches a search: by exact id, exact number in the category, or a part of its name. */
export function isWanted({ id, metadata }: Annotation, number: number, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === "" || (id !== null && wanted === String(id)) || wanted === String(number)) return true;
  return typeof metadata.name === "string" && metadata.name.toLowerCase().includes(wanted);
}
