const CHECK_EVERY_MS = 60 * 60 * 1000;

let waiting: (() => void) | undefined;
const listeners = new Set<() => void>();

/** Registers the service worker, where the page may have one, and looks for a new version every hour. */
export async function startServiceWorker(): Promise<void> {
  const { registerSW } = await import("virtual:pwa-register");
  let isWanted = false;
  // All tabs are told when one of them has taken the new version: only the one whose button was pressed may reload.
  const handleTaken = () => {
    if (isWanted) window.location.reload();
    else offer(() => window.location.reload());
  };
  const update = registerSW({
    async onNeedRefresh() {
      // On a slow machine the very first version waits for a moment as well: before any is active, or until it is.
      const registration = await navigator.serviceWorker.getRegistration();
      if (!registration?.active || !registration.waiting) return;
      offer(() => {
        isWanted = true;
        void update();
      });
    },
    onNeedReload: handleTaken,
    onRegisteredSW(_, registration) {
      if (!registration) return;
      setInterval(() => navigator.onLine && registration.update().catch(() => {}), CHECK_EVERY_MS);
      // On pages like dataset/1 Workbox overlooks a version that has waited since before the page was loaded: it resolves the
      // file's relative address against the page's, and not against <base>.
      if (!registration.active || !registration.waiting) return;
      navigator.serviceWorker.addEventListener("controllerchange", handleTaken, { once: true });
      offer(() => {
        isWanted = true;
        registration.waiting?.postMessage({ type: "SKIP_WAITING" });
      });
    },
  });
}

function offer(update: () => void): void {
  waiting = update;
  for (const listener of listeners) listener();
}

/** Loads the new version, which reloads the page: only ever called by a press of a button. Undefined while none waits. */
export const getUpdate = (): (() => void) | undefined => waiting;

export function subscribeUpdate(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
