/** Installation of the application, in browsers that offer it to pages. */

/** Chromium's event; not part of the DOM's types. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}
const isInstallEvent = (event: Event): event is InstallEvent => "prompt" in event;

let offer: InstallEvent | undefined;
const listeners = new Set<() => void>();

/**
 * Keeps the browser's offer to install the application. The browser makes the offer once, soon after the page loads.
 */
export function watchInstallOffer(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    if (!isInstallEvent(event)) return;
    event.preventDefault();
    setOffer(event);
  });
  window.addEventListener("appinstalled", () => setOffer(undefined));
}

function setOffer(next: InstallEvent | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Returns true if the browser would install the application now. */
export const canInstall = (): boolean => offer !== undefined;

export function subscribeInstall(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the browser's installation dialog. An offer can be used only once. */
export async function installApp(): Promise<void> {
  const used = offer;
  setOffer(undefined);
  await used?.prompt();
}
