import { createStore } from "zustand/vanilla";
import { CATEGORY_SEARCH_ABOVE } from "../../../shared/constants";
import type { Annotation } from "../../../shared/entities/annotation";
import { foldText } from "../../../shared/text/fold";
import type { Mode } from "./mode";

export interface SearchState {
  /** The text that is searched for; empty for none. */
  text: string;
  /** True if the field should take the focus. The field resets this when it has the focus. */
  isFocusRequested: boolean;
}

/** The user's search in the tree, which limits its rows and the arrow keys. */
export class Search {
  readonly store = createStore<SearchState>(() => ({ text: "", isFocusRequested: false }));

  get state(): SearchState {
    return this.store.getState();
  }

  find(text: string): void {
    this.store.setState({ text });
  }

  requestFocus(isFocusRequested: boolean): void {
    this.store.setState({ isFocusRequested });
  }
}

/** Number of annotations on an image from which they can be searched, even with few categories. */
const ANNOTATION_SEARCH_FROM = 2;

/** Returns the kinds of rows that the search field finds; null if there are so few rows that no field is shown. */
export function searchable(
  { categories, annotations }: { categories: readonly unknown[]; annotations: ReadonlyMap<string, unknown> },
  mode: Mode,
): "categories" | "annotations" | "categories and annotations" | null {
  const hasMany = categories.length > CATEGORY_SEARCH_ABOVE;
  if (mode === "label") return hasMany ? "categories" : null;
  if (annotations.size < ANNOTATION_SEARCH_FROM) return hasMany ? "categories" : null;
  return hasMany ? "categories and annotations" : "annotations";
}

/** Returns a search text as it is compared: without spaces around it, and folded. */
export const wantedText = (text: string): string => foldText(text.trim());

/**
 * Returns true if an annotation matches a search: by exact id, exact number, or part of its name.
 * `number`: null if numbers are not shown, so that they are not searched.
 */
export function matchesSearch({ id, metadata }: Annotation, number: number | null, text: string): boolean {
  const wanted = wantedText(text);
  if (wanted === "" || (id !== null && wanted === String(id))) return true;
  if (number !== null && wanted === String(number)) return true;
  return typeof metadata.name === "string" && foldText(metadata.name).includes(wanted);
}
