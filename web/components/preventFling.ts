/**
 * Keeps Chromium from taking a quick stroke of a finger on the element for a fling, which happens even where
 * `touch-action` is `none`: the next tap on any button would only stop the fling, without a click.
 */
export function preventFling(element: HTMLElement, signal: AbortSignal): void {
  element.addEventListener("touchmove", (event) => event.preventDefault(), { signal, passive: false });
}
