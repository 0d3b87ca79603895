/**
 * Returns a function that resolves in a later task, so that frames, input and messages come between two parts of long
 * work. The function resolves at once without a page, and as soon as the page is being closed.
 */
export function makeNextTask(page: EventTarget | undefined): () => Promise<void> {
  /** True once the page is being closed, until it is shown again. */
  let isClosing = false;
  page?.addEventListener("pagehide", () => {
    isClosing = true;
  });
  page?.addEventListener("pageshow", () => {
    isClosing = false;
  });
  return async () => {
    if (!page || isClosing) return;
    const { port1, port2 } = new MessageChannel();
    const listening = new AbortController();
    await new Promise<void>((resolve) => {
      port1.onmessage = () => resolve();
      page.addEventListener("pagehide", () => resolve(), { signal: listening.signal });
      // Unlike a timer, a message is never delayed by the browser.
      port2.postMessage(null);
    });
    listening.abort();
    port1.close();
  };
}

export const nextTask = makeNextTask(typeof window === "undefined" ? undefined : window);
