import { Button } from "@mantine/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { isTyping } from "../isTyping";

interface Props {
  message: string;
  label: string;
  onAct: () => void;
  /** The time for it is over. */
  onEnd: () => void;
}

const SHOWN_S = 12;
/** Those that are shown, the newest last: Ctrl+Z is for that. */
const shown: object[] = [];

/**
 * A toast's message with a button, e.g. "Undo", which Ctrl+Z presses too, on the page where it came up. It stays for as
 * long as the pointer or the focus is in it, and some time after.
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
    const me = {};
    const page = window.location.pathname;
    const left = { seconds: SHOWN_S };
    shown.push(me);
    const timer = setInterval(() => handleSecond(left), 1000);
    const listener = (event: KeyboardEvent) => {
      if (shown.at(-1) === me && window.location.pathname === page) handleKey(event);
    };
    document.addEventListener("keydown", listener);
    return () => {
      shown.splice(shown.indexOf(me), 1);
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
        title="Ctrl+Z"
        aria-keyshortcuts="Control+Z"
      >
        {label}
      </Button>
    </div>
  );
}
