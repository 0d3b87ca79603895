import { useEffect, useRef, useState } from "react";

/**
 * Returns `value`, but delays changes while the main pointer button is down. Otherwise the pressed element could move
 * from under the pointer before it is released, and the click would be lost.
 */
export function useAfterPress<T>(value: T): T {
  const isPressed = useRef(false);
  const latest = useRef(value);
  const [settled, setSettled] = useState(value);
  // Set during rendering, so that nothing is rendered with the previous value.
  if (settled !== value && !isPressed.current) setSettled(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  useEffect(() => {
    const handleDown = ({ button }: PointerEvent) => {
      isPressed.current = button === 0;
    };
    const handleUp = () => {
      isPressed.current = false;
      setSettled(latest.current);
    };
    window.addEventListener("pointerdown", handleDown, { capture: true });
    window.addEventListener("pointerup", handleUp, { capture: true });
    window.addEventListener("pointercancel", handleUp, { capture: true });
    return () => {
      window.removeEventListener("pointerdown", handleDown, { capture: true });
      window.removeEventListener("pointerup", handleUp, { capture: true });
      window.removeEventListener("pointercancel", handleUp, { capture: true });
    };
  }, []);
  return settled;
}
