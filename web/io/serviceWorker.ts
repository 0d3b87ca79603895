const CHECK_EVERY_MS = 60 * 60 * 1000;

let waiting: (() => void) | undefined;
const listeners = new Set<() => void>();

/**
 * Registers the service worker, if the browser allows one, and checks for a new version every hour. Never rejects: if
 * its code cannot be loaded, e.g. because the user leaves the page at once, the next page tries again.
 */
export async function startServiceWorker(): Promise<void> {
  const loaded = await import("virtual:pwa-register").catch(() => undefined);
  if (loaded) register(loaded.registerSW);
}

function register(registerSW: typeof import("virtual:pwa-register").registerSW): void {
  let isWanted = false;
  // All tabs are notified when one of them activates the new version. Only the tab whose button was pressed may reload.
  const handleActivation = () => {
    if (isWanted) window.location.reload();
    else offerUpdate(() => window.location.reload());
  };
  const update = registerSW({
    async onNeedRefresh() {
      // On a slow machine even the very first version waits for a moment before it becomes active; it is not an update.
      const registration = await navigator.serviceWorker.getRegistration();
      if (!registration?.active || !registration.waiting) return;
      offerUpdate(() => {
        isWanted = true;
        void update();
      });
    },
    onNeedReload: handleActivation,
    onRegisteredSW(_, registration) {
      if (!registration) return;
      setInterval(() => navigator.onLine && registration.update().catch(() => {}), CHECK_EVERY_MS);
      // On pages like dataset/1 Workbox misses a version that was waiting before the page loaded, because it resolves
      // the file's relative address against the page instead of <base>.
      if (!registration.active || !registration.waiting) return;
      navigator.serviceWorker.addEventListener("controllerchange", handleActivation, { once: true });
      offerUpdate(() => {
        isWanted = true;
        registration.waiting?.postMessage({ type: "SKIP_WAITING" });
      });
    },
  });
}

function offerUpdate(update: () => void): void {
  waiting = update;
  for (const listener of listeners) listener();
}

/**
 * Returns a function that activates the waiting version and reloads the page; undefined if none waits. Call it only
 * when the user asks for it.
 */
export const getUpdate = (): (() => void) | undefined => waiting;

export function subscribeUpdate(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
