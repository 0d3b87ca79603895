import { useCallback, useLayoutEffect, useRef } from "react";

/** Returns a function that returns true while the dialog is open, for code that continues after an `await`. */
export function useStillOpen(): () => boolean {
  const isOpen = useRef(false);
  useLayoutEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return useCallback(() => isOpen.current, []);
}
