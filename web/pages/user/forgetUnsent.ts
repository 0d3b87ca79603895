import { hasJournal, type Owner } from "../../io/storage/journalName";

/** Takes away preferences that wait in this browser to be sent. Who has drawn nothing here has none. */
export async function forgetUnsent(owner: Owner): Promise<void> {
  if (!(await hasJournal(owner))) return;
  const { syncOf } = await import("../../sync/currentSync");
  await syncOf(owner).dropPreferences();
}
