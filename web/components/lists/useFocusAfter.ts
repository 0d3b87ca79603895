import { type RefObject, useEffect, useRef } from "react";

/**
 * The element of the ref takes the focus when something is gone that had it: keys go on from there, not from the top of
 * the page. It needs a `tabIndex`.
 */
export function useFocusAfter<T extends HTMLElement>(isThere: boolean): RefObject<T | null> {
  const next = useRef<T>(null);
  useEffect(() => {
    if (!isThere) return;
    return () => {
      // A dialog that goes with it gives the focus back to its button first, which is gone too.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) next.current?.focus({ preventScroll: true });
      });
    };
  }, [isThere]);
  return next;
}
