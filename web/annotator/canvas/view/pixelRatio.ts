/**
 * Calls `onChange` whenever the device pixels of a CSS pixel change: by zoom of the page, or when the window moves to
 * another screen, which changes no element's size. The pointer and the focus are signs, too, because browsers do not
 * evaluate media queries for each change.
 */
export function watchPixelRatio(onChange: () => void, signal: AbortSignal): void {
  let known = window.devicePixelRatio;
  const check = () => {
    if (window.devicePixelRatio === known) return;
    known = window.devicePixelRatio;
    watch();
    onChange();
  };
  // The query is about the ratio of now, so each change needs another.
  const watch = () =>
    window.matchMedia(`(resolution: ${known}dppx)`).addEventListener("change", check, { once: true, signal });
  watch();
  for (const sign of ["pointermove", "focus"]) window.addEventListener(sign, check, { capture: true, signal });
}
