/** Data to ask about and clear on log-out. Whatever keeps data in this browser registers here. */
export interface Leaving {
  /** Returns what logging out now would lose, as a sentence, or null. */
  warning(): Promise<string | null>;
  /** Removes what was kept for this user. Works without network. */
  wipe(): Promise<void>;
}

const registered = new Set<Leaving>();
const underWay = new Set<() => Promise<unknown>>();

/** Registers what must come to its end before it can be said what would be lost. */
export function finishBeforeLogout(finish: () => Promise<unknown>): void {
  underWay.add(finish);
}

/** Registers for log-out; the answer takes it back. */
export function beforeLogout(leaving: Leaving): () => void {
  registered.add(leaving);
  return () => registered.delete(leaving);
}

export async function logoutWarnings(): Promise<string[]> {
  await Promise.all([...underWay].map((finish) => finish()));
  const warnings = await Promise.all([...registered].map((leaving) => leaving.warning()));
  return warnings.filter((warning) => warning !== null);
}

/** Clears what was kept, also the caches; the application's own files stay, so that it opens without network. */
export async function wipeLocalData(): Promise<void> {
  const results = await Promise.allSettled([...registered].map((leaving) => leaving.wipe()));
  await wipeCaches();
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

async function wipeCaches(): Promise<void> {
  // Absent outside secure contexts.
  if (!("caches" in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !name.includes("precache")).map((name) => caches.delete(name)));
}
