import type { Edit, EditAnswer } from "../../../shared/edits/edit";
import type { Category } from "../../../shared/entities/category";
import type { Owner } from "./journalName";

/** An edit and the server's response to it. */
export interface Answered {
  edit: Edit;
  answer: EditAnswer;
}

/** Receives a user's edits and the server's responses before the journal deletes the stored edits. */
export type StoredEditsListener = (owner: Owner, answered: readonly Answered[]) => Promise<void>;

let listener: StoredEditsListener | undefined;

/** Sets the listener. Must be called before the first edit is sent. */
export function listenToStoredEdits(next: StoredEditsListener | undefined): void {
  listener = next;
}

export const storedEditsListener = (): StoredEditsListener | undefined => listener;

/** Receives a category that was created offline, before the journal deletes it. */
export type CreatedCategoryListener = (owner: Owner, category: Category, datasetId: number) => Promise<void>;

let categoryListener: CreatedCategoryListener | undefined;

/** Sets the listener. Must be called before the first category is sent. */
export function listenToCreatedCategories(next: CreatedCategoryListener | undefined): void {
  categoryListener = next;
}

export const createdCategoryListener = (): CreatedCategoryListener | undefined => categoryListener;
