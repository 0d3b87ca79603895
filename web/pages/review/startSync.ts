import { hasJournal, type Owner } from "../../io/storage/journalName";
import type { Review } from "../../sync/review/review";

/**
 * Opens the user's journal: what earlier pages could not send goes out, and a log-out knows what would be lost. Returns
 * what waits for review. Who has drawn nothing in this browser has no journal, and does not load its library, which is
 * heavy.
 */
export async function startSync(owner: Owner): Promise<Review | undefined> {
  if (!(await hasJournal(owner))) return undefined;
  const { syncOf, reviewOf } = await import("../../sync/currentSync");
  syncOf(owner);
  return reviewOf(owner);
}
