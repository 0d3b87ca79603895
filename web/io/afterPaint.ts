/** Maximum time to wait for the browser to paint, in milliseconds. */
const LONGEST_MS = 100;

/**
 * Resolves when the browser has painted the changes made so far, so that long work does not delay them. Resolves at
 * once if the page is being closed, or outside a browser page.
 */
export async function afterPaint(): Promise<void> {
  if (typeof requestAnimationFrame === "undefined") return;
  await new Promise<void>((resolve) => {
    const listening = new AbortController();
    const end = () => {
      clearTimeout(timer);
      listening.abort();
      resolve();
    };
    const timer = setTimeout(end, LONGEST_MS);
    window.addEventListener("pagehide", end, { signal: listening.signal });
    // The frame is painted after its callbacks, before the next task.
    requestAnimationFrame(() => setTimeout(end));
  });
}
