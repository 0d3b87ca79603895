/**
 * Installation and user that this tab's pages belong to. `request` sends both with every call, and the server refuses
 * calls for other owners: after a restore, the same id may mean another image, user or category; and when another user
 * has logged in in another tab, the cookie is that user's while this page still shows the previous one.
 */
interface PageOwner {
  installation: string | null;
  userId: number | null;
}

let current: PageOwner = { installation: null, userId: null };
const listeners = new Set<() => void>();

export const currentInstallation = (): string | null => current.installation;
export const currentUserId = (): number | null => current.userId;

/** Sets the owner. Returns true if the tab had ids of another installation, which are now invalid. */
export function enterPages({ installation, userId }: PageOwner): boolean {
  const before = current.installation;
  current = { installation: installation ?? before, userId };
  return before !== null && installation !== null && before !== installation;
}

/**
 * Calls `listener` when the server refuses this page's calls because of their owner. Returns a function that stops it.
 */
export function onOtherOwner(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Must be called when the server has refused a call because of its installation or user. */
export function reportOtherOwner(): void {
  for (const listener of listeners) listener();
}
