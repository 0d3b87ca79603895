/**
 * Opens the person's journal: what earlier pages could not send goes out, and a log-out knows what would be lost. Loaded
 * after the first page stands, because the journal's library is heavy.
 */
export async function startSync(userId: number): Promise<void> {
  const { syncOf } = await import("../../sync/currentSync");
  syncOf(userId);
}
