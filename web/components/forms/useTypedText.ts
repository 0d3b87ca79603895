import { type KeyboardEvent, useRef, useState } from "react";
import { isComposing } from "../isComposing";

/** Text and event handlers of a field whose text takes effect later than it is typed. */
interface TypedText {
  /** Text in the field: what the user has typed, otherwise the value. */
  text: string;
  /** The value, if it has changed since the user began to type another text; otherwise null. */
  overtaken: string | null;
  type: (text: string) => void;
  /** Shows the value again. */
  reset: () => void;
  onFocus: () => void;
  onBlur: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Returns text and handlers of a field that takes effect when it loses the focus. `shown`: the value as text; another
 * user may change it, but not what is being typed. Escape restores the value. Enter applies the text, or calls `onEnter`.
 */
export function useTypedText(shown: string, onCommit: (typed: string) => void, onEnter?: () => void): TypedText {
  /** The typed text, and the value when the user began to type. */
  const [typed, setTyped] = useState<{ text: string; from: string } | null>(null);
  // Escape also moves the focus away, before the restored value has been rendered: this blur must not commit.
  const isDropped = useRef(false);
  const text = typed?.text ?? shown;
  const reset = () => setTyped(null);
  const commit = () => {
    // A number field reports its text once more just before it loses the focus.
    reset();
    const given = text.trim();
    if (given !== shown && !isDropped.current) onCommit(given);
  };
  return {
    text,
    overtaken: typed && typed.from !== shown && typed.text !== shown ? shown : null,
    type: (next) => setTyped((before) => ({ text: next, from: before?.from ?? shown })),
    reset,
    onFocus: () => {
      isDropped.current = false;
    },
    onBlur: commit,
    onKeyDown: ({ key, nativeEvent }) => {
      if (isComposing(nativeEvent)) return;
      isDropped.current = key === "Escape";
      if (isDropped.current) reset();
      else if (key === "Enter") (onEnter ?? commit)();
    },
  };
}
