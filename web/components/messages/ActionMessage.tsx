import { Button } from "@mantine/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { isTyping } from "../isTyping";
import { controlKey, isMac } from "../platform";

interface Props {
  message: string;
  label: string;
  /** True if Ctrl+Z presses the button. */
  isUndo: boolean;
  onAct: () => void;
  /** Called when the time to act is over. */
  onEnd: () => void;
}

/** Seconds for which the message is shown. */
const SHOWN_S = 12;
/** Messages on the screen that Ctrl+Z acts on, newest last. It acts on the newest. */
const shown: object[] = [];

/**
 * Toast message with a button. If it is an undo, Ctrl+Z presses it too, on the page where it appeared. The countdown
 * restarts while the toast is hovered or focused.
 */
export function ActionMessage({ message, label, isUndo, onAct, onEnd }: Props) {
  const content = useRef<HTMLDivElement>(null);
  const handleSecond = useEffectEvent((left: { seconds: number }) => {
    if (content.current?.closest('[role="alert"]')?.matches(":hover, :focus-within")) left.seconds = SHOWN_S;
    else if (--left.seconds <= 0) onEnd();
  });
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (event.defaultPrevented || isTyping(event)) return;
    event.preventDefault();
    onAct();
  });
  useEffect(() => {
    const left = { seconds: SHOWN_S };
    const timer = setInterval(() => handleSecond(left), 1000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (!isUndo) return;
    const self = {};
    const page = window.location.pathname;
    shown.push(self);
    const listener = (event: KeyboardEvent) => {
      if (shown.at(-1) === self && window.location.pathname === page) handleKey(event);
    };
    document.addEventListener("keydown", listener);
    return () => {
      shown.splice(shown.indexOf(self), 1);
      document.removeEventListener("keydown", listener);
    };
  }, [isUndo]);
  return (
    <div ref={content}>
      {message}
      <Button
        variant="light"
        size="compact-sm"
        mt={6}
        onClick={onAct}
        display="block"
        title={isUndo ? `${controlKey()}+Z` : undefined}
        aria-keyshortcuts={isUndo ? (isMac() ? "Meta+Z" : "Control+Z") : undefined}
      >
        {label}
      </Button>
    </div>
  );
}
