/** Warning and cleanup at logout. Code that stores data in this browser registers one. */
export interface LogoutHandler {
  /** Returns a sentence about what logging out now would lose, or null. */
  warning(): Promise<string | null>;
  /** Deletes this user's data. Works offline. */
  wipe(): Promise<void>;
}

const registered = new Set<LogoutHandler>();
const finishers = new Set<() => Promise<unknown>>();

/** Registers work that must finish before it is known what a logout would lose. */
export function finishBeforeLogout(finish: () => Promise<unknown>): void {
  finishers.add(finish);
}

/** Registers a logout handler. Returns a function that removes it. */
export function beforeLogout(handler: LogoutHandler): () => void {
  registered.add(handler);
  return () => registered.delete(handler);
}

export async function logoutWarnings(): Promise<string[]> {
  await Promise.all([...finishers].map((finish) => finish()));
  const warnings = await Promise.all([...registered].map((handler) => handler.warning()));
  return warnings.filter((warning) => warning !== null);
}

/** Deletes the user's data and the caches. Keeps the application's own files, so that it still opens offline. */
export async function wipeLocalData(): Promise<void> {
  const results = await Promise.allSettled([...registered].map((handler) => handler.wipe()));
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
