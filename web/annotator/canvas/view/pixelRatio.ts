/**
 * Calls `onChange` whenever the number of device pixels per CSS pixel changes: when the page is zoomed, or when the
 * window moves to another screen, which changes no element's size. Also checks when the pointer moves or the window
 * gets the focus, because browsers do not evaluate media queries for each change.
 */
export function watchPixelRatio(onChange: () => void, signal: AbortSignal): void {
  let known = window.devicePixelRatio;
  const check = () => {
    if (window.devicePixelRatio === known) return;
    known = window.devicePixelRatio;
    watch();
    onChange();
  };
  // The query matches only the current ratio, so each change needs a new query.
  const watch = () =>
    window.matchMedia(`(resolution: ${known}dppx)`).addEventListener("change", check, { once: true, signal });
  watch();
  for (const sign of ["pointermove", "focus"]) window.addEventListener(sign, check, { capture: true, signal });
}
