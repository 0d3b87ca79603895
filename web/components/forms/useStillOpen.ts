import { useCallback, useEffect, useRef } from "react";

/** Returns a function that is true until the dialog has gone: a command that waited for something asks before it goes on. */
export function useStillOpen(): () => boolean {
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return useCallback(() => isOpen.current, []);
}
