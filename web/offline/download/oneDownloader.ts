/**
 * Runs the work in one tab at a time if the browser has Web Locks: other tabs wait. Without them (plain http), runs it
 * only in the tab that the user is using. Resolves without having run it if the signal is aborted before its turn.
 */
export async function oneDownloader(
  name: string,
  { signal, isUsed }: { signal: AbortSignal; isUsed: boolean },
  work: () => Promise<void>,
): Promise<void> {
  const locks = globalThis.navigator?.locks;
  if (!locks) return isUsed ? work() : undefined;
  await locks.request(`download ${name}`, { signal }, work).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
