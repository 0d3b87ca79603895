/**
 * Id of the installation that this tab's ids belong to: after a restore, the same id may mean another image, user or
 * category. `request` sends it with every call, and the server refuses calls for another installation.
 */
let current: string | null = null;
const listeners = new Set<() => void>();

export const currentInstallation = (): string | null => current;

/** Sets the installation. Returns true if the tab had ids of another one, which are now invalid. */
export function enterInstallation(id: string | null): boolean {
  const isOther = current !== null && id !== null && current !== id;
  current = id ?? current;
  return isOther;
}

/** Calls `listener` when the server refuses ids of another installation. Returns a function that stops it. */
export function onOtherInstallation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Must be called when the server has refused a call because of its installation. */
export function reportOtherInstallation(): void {
  for (const listener of listeners) listener();
}
