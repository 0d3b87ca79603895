import { endsWithin } from "../../shared/async/timeLimit";

/** Maximum time to wait for the first page, in milliseconds. */
const LONGEST_MS = 10_000;
/** Maximum time to wait for the browser to become idle, in milliseconds. */
const BUSY_MS = 2_000;

let noteShown: () => void;
const shown = new Promise<void>((resolve) => {
  noteShown = resolve;
});
let over: Promise<void> | undefined;

/** Notes that the first page is shown with its data. */
export const noteFirstPage = (): void => noteShown();

/**
 * Resolves when the first page is shown and the browser is idle. Code that no page waits for is loaded then, so that it
 * takes no bandwidth from the page. The wait for a page that never gets ready ends after ten seconds.
 */
export function afterFirstPage(): Promise<void> {
  over ??= waitForFirstPage();
  return over;
}

async function waitForFirstPage(): Promise<void> {
  await endsWithin(LONGEST_MS, shown);
  await new Promise<void>((resolve) => {
    // Safari has no idle callbacks.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: BUSY_MS });
    else setTimeout(resolve, 0);
  });
}
