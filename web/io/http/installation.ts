/**
 * The installation whose ids this tab has: images, users and categories are numbers, and after a restore the same number
 * may mean another one. Every call names it (`request`), and the server refuses those for another.
 */
let current: string | null = null;
const listeners = new Set<() => void>();

export const currentInstallation = (): string | null => current;

/** Sets the installation; returns true if the tab had ids of another one, which mean nothing any more. */
export function enterInstallation(id: string | null): boolean {
  const isOther = current !== null && id !== null && current !== id;
  current = id ?? current;
  return isOther;
}

/** Called when the server has refused ids of another installation. Returns how to stop that. */
export function onOtherInstallation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** To be called when the server has refused a call because of its installation. */
export function reportOtherInstallation(): void {
  for (const listener of listeners) listener();
}
