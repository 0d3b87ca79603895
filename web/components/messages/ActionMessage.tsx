import { Button } from "@mantine/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { isTyping } from "../isTyping";
import { controlKey, isMac } from "../platform";

interface Props {
  message: string;
  label: string;
  onAct: () => void;
  /** Called when the time to act is over. */
  onEnd: () => void;
}

/** Seconds for which the message is shown. */
const SHOWN_S = 12;
/** Messages on the screen, newest last. Ctrl+Z acts on the newest. */
const shown: object[] = [];

/**
 * Toast message with a button, e.g. "Undo". On the page where it appeared, Ctrl+Z presses the button too. The countdown
 * restarts while the toast is hovered or focused.
 */
export function ActionMessage({ message, label, onAct, onEnd }: Props) {
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
    const self = {};
    const page = window.location.pathname;
    const left = { seconds: SHOWN_S };
    shown.push(self);
    const timer = setInterval(() => handleSecond(left), 1000);
    const listener = (event: KeyboardEvent) => {
      if (shown.at(-1) === self && window.location.pathname === page) handleKey(event);
    };
    document.addEventListener("keydown", listener);
    return () => {
      shown.splice(shown.indexOf(self), 1);
      clearInterval(timer);
      document.removeEventListener("keydown", listener);
    };
  }, []);
  return (
    <div ref={content}>
      {message}
      <Button
        variant="light"
        size="compact-sm"
        mt={6}
        onClick={onAct}
        display="block"
        title={`${controlKey()}+Z`}
        aria-keyshortcuts={isMac() ? "Meta+Z" : "Control+Z"}
      >
        {label}
      </Button>
    </div>
  );
}
