import { hasJournal, type Owner } from "../../io/journal/journalName";

/** Drops preferences in this browser that are not sent yet. A user without a journal here has none. */
export async function forgetUnsent(owner: Owner): Promise<void> {
  if (!(await hasJournal(owner))) return;
  const { syncOf } = await import("../../sync/currentSync");
  await syncOf(owner).dropPreferences();
}
