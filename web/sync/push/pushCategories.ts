import type { Category } from "../../../shared/entities/category";
import type { Journal, NewCategoryRow } from "../journal/journal";
import { type Ended, failureOf, isFinal, phaseOf } from "./push";

/**
 * Creates a category on the server, only once even if it is called again, and adds it to the user's copy. Throws an
 * error with `status` (0: the server cannot be reached).
 */
export type CreateCategory = (row: NewCategoryRow) => Promise<Category>;

export interface CategoryOutcomes {
  /** Receives a category as the server created it, and as the user did. */
  onCreated: (category: Category, row: NewCategoryRow) => void;
  /** Receives a category that the server has refused, and the server's reason. */
  onRefused: (row: NewCategoryRow, reason: string) => void;
}

/**
 * Sends the categories that were created offline. Must run before edits are sent, because edits refer to them. Returns
 * the reason if sending ends early. A refused category does not stop the others: edits that refer to it become
 * conflicts.
 */
export async function pushCategories(
  journal: Journal,
  create: CreateCategory,
  { onCreated, onRefused }: CategoryOutcomes,
): Promise<Ended | undefined> {
  // If the journal cannot be read, sending the edits reports that.
  for (const row of await journal.categories().catch(() => [])) {
    try {
      const category = await create(row);
      await journal.removeCategory(row.id);
      onCreated(category, row);
    } catch (error) {
      const failure = failureOf(error);
      const isRefused = isFinal(failure) || (failure.status === 409 && failure.code !== "other_installation");
      if (!isRefused) return phaseOf(failure);
      await journal.removeCategory(row.id);
      onRefused(row, failure.message ?? "");
    }
  }
  return undefined;
}
