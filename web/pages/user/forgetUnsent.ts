import { hasJournal } from "../../io/journalName";

/** Takes away preferences that wait in this browser to be sent. Who has drawn nothing here has none. */
export async function forgetUnsent(userId: number): Promise<void> {
  if (!(await hasJournal(userId))) return;
  const { syncOf } = await import("../../sync/currentSync");
  await syncOf(userId).dropPreferences();
}
