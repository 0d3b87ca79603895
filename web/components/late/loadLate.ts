import { afterFirstPage } from "../../io/firstPage";
import { untilAnswered } from "../../io/http/reachability";

/**
 * Loads code that no page waits for, when the first page is shown and the browser is idle. Without a service worker, which
 * has all code, it also waits until the server answers: Chromium never fetches a module again that it once could not fetch.
 */
export async function loadLate<T>(load: () => Promise<T>): Promise<T> {
  await afterFirstPage();
  if (!navigator.serviceWorker?.controller) await untilAnswered();
  return load();
}
