/**
 * Calls `onChange` whenever the device pixels of a CSS pixel change: by zoom of the page, or when the window moves to
 * another screen, which changes no element's size.
 */
export function watchPixelRatio(onChange: () => void, signal: AbortSignal): void {
  const watch = (): void => {
    if (signal.aborted) return;
    const now = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    // The query is about the ratio of now, so the next change needs another.
    const handleChange = () => {
      onChange();
      watch();
    };
    now.addEventListener("change", handleChange, { once: true, signal });
  };
  watch();
}
