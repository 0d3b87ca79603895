const CHECK_EVERY_MS = 60 * 60 * 1000;

let waiting: (() => void) | undefined;
const listeners = new Set<() => void>();

/** Registers the service worker, where the page may have one, and looks for a new version every hour. */
export async function startServiceWorker(): Promise<void> {
  const { registerSW } = await import("virtual:pwa-register");
  const update = registerSW({
    onNeedRefresh() {
      waiting = () => void update(true);
      for (const listener of listeners) listener();
    },
    onRegisteredSW(_, registration) {
      if (registration) setInterval(() => navigator.onLine && registration.update().catch(() => {}), CHECK_EVERY_MS);
    },
  });
}

/** Loads the new version, which reloads the page: only ever called by a press of a button. Undefined while none waits. */
export const getUpdate = (): (() => void) | undefined => waiting;

export function subscribeUpdate(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
