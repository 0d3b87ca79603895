import { afterFirstPage } from "../../io/firstPage";
import { untilReachable } from "../../io/http/reachability";

/**
 * Loads code that no page waits for, when the first page is shown and the browser is idle. Without a service worker,
 * which has all code, it also waits for a server that is away: Chromium never fetches a module again that it once could
 * not fetch.
 */
export async function loadLate<T>(load: () => Promise<T>): Promise<T> {
  await afterFirstPage();
  if (!navigator.serviceWorker?.controller) await untilReachable();
  return load();
}
