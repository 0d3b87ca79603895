import { type RefObject, useEffect, useRef } from "react";

/**
 * Returns a ref whose element gets the focus when the focused content disappears (`isShown` turns false), so that
 * keyboard users do not start again at the top of the page. The element needs a `tabIndex`.
 */
export function useFocusAfter<T extends HTMLElement>(isShown: boolean): RefObject<T | null> {
  const next = useRef<T>(null);
  useEffect(() => {
    if (!isShown) return;
    return () => {
      // A dialog that closes at the same time first returns the focus to its button, which is gone too.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) next.current?.focus({ preventScroll: true });
      });
    };
  }, [isShown]);
  return next;
}
