import { hasJournal, type Owner } from "../../io/journal/journalName";
import type { Review } from "../../sync/review/review";

/**
 * Opens the user's journal, so that pending edits of earlier pages are sent and a logout can warn about unsent ones.
 * Returns the changes that need a review. Without a journal in this browser, its heavy library is not loaded.
 */
export async function startSync(owner: Owner): Promise<Review | undefined> {
  if (!(await hasJournal(owner))) return undefined;
  const { syncOf, reviewOf } = await import("../../sync/currentSync");
  syncOf(owner);
  return reviewOf(owner);
}
