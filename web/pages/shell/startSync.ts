import { hasJournal } from "../../io/journalName";

/**
 * Opens the person's journal: what earlier pages could not send goes out, and a log-out knows what would be lost. Who has
 * drawn nothing in this browser has none, and does not load the journal's library, which is heavy.
 */
export async function startSync(userId: number): Promise<void> {
  if (!(await hasJournal(userId))) return;
  const { syncOf } = await import("../../sync/currentSync");
  syncOf(userId);
}
