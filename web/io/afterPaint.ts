/** Time after which a page that is not painted is not waited for any longer, in milliseconds. */
const LONGEST_MS = 100;

/**
 * Resolves when the browser has painted what was changed until now, so that long work does not delay it. At once if the
 * page is being closed, and where nothing is painted.
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
