import { endsWithin } from "../../shared/async/timeLimit";

/** Time after which the first page is not waited for any longer, in milliseconds. */
const LONGEST_MS = 10_000;
/** Time within which a busy browser counts as idle, in milliseconds. */
const BUSY_MS = 2_000;

let noteShown: () => void;
const shown = new Promise<void>((resolve) => {
  noteShown = resolve;
});
let over: Promise<void> | undefined;

/** Must be called when the first page is shown with its data. */
export const noteFirstPage = (): void => noteShown();

/**
 * Resolves when the first page is shown and the browser is idle. Code that no page waits for is loaded after it, so
 * that it takes no bandwidth from the page. A page that does not get ready delays it by ten seconds at most.
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
