import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { isComposing } from "../isComposing";

/** Text and event handlers of a field whose text takes effect later than it is typed. */
interface TypedText {
  /** Text in the field: what the user has typed, otherwise the value. */
  text: string;
  /** The value, if it has changed since the user began to type another text; otherwise null. */
  overtaken: string | null;
  /** True if Enter was pressed once while the text would replace another user's value: a second Enter replaces it. */
  isAsked: boolean;
  /** Applies the text, even in place of another user's value. */
  apply: () => void;
  type: (text: string) => void;
  /** Shows the value again. */
  reset: () => void;
  onFocus: () => void;
  onBlur: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface Options {
  /** Called instead of applying the text, which the field does when it then loses the focus. */
  onEnter?: () => void;
  /**
   * If given, the text replaces another user's value only after a second Enter, and stays in the field when the focus
   * moves away. Called with the text if the field disappears meanwhile.
   */
  onNotApplied?: (typed: string) => void;
}

interface Typed {
  text: string;
  /** The value when the user began to type. */
  from: string;
  /** The other user's value that Enter was pressed for. */
  asked: string | null;
}

/**
 * Returns text and handlers of a field that takes effect when it loses the focus. `shown`: the value as text; another
 * user may change it, but not what is being typed. Escape restores the value. Enter applies the text.
 */
export function useTypedText(
  shown: string,
  onCommit: (typed: string) => void,
  { onEnter, onNotApplied }: Options = {},
): TypedText {
  const [typed, setTyped] = useState<Typed | null>(null);
  // Escape also moves the focus away, before the restored value has been rendered: this blur must not commit.
  const isDropped = useRef(false);
  const isConfirmed = useRef(false);
  const text = typed?.text ?? shown;
  const reset = () => setTyped(null);
  const overtaken = typed && typed.from !== shown && typed.text.trim() !== shown ? shown : null;
  const isAsked = overtaken !== null && typed?.asked === shown;
  const isHeld = overtaken !== null && onNotApplied !== undefined;
  const commit = () => {
    if (isHeld && !isConfirmed.current && !isDropped.current) return;
    isConfirmed.current = false;
    // A number field reports its text once more just before it loses the focus.
    reset();
    const given = text.trim();
    if (given !== shown && !isDropped.current) onCommit(given);
  };
  const apply = () => {
    isConfirmed.current = true;
    isDropped.current = false;
    commit();
  };
  const handleEnter = () => {
    if (isHeld && !isAsked) {
      setTyped(typed && { ...typed, asked: shown });
      return;
    }
    isConfirmed.current = true;
    (onEnter ?? commit)();
  };
  const leave = useRef<() => void>(undefined);
  useEffect(() => {
    leave.current = isHeld ? () => onNotApplied?.(text) : undefined;
  });
  useEffect(() => () => leave.current?.(), []);
  return {
    ...{ text, overtaken, isAsked, apply },
    type: (next) => setTyped((before) => ({ asked: null, from: shown, ...before, text: next })),
    reset,
    onFocus: () => {
      isDropped.current = false;
      isConfirmed.current = false;
    },
    onBlur: commit,
    onKeyDown: ({ key, nativeEvent }) => {
      if (isComposing(nativeEvent)) return;
      isDropped.current = key === "Escape";
      if (isDropped.current) reset();
      else if (key === "Enter") handleEnter();
    },
  };
}
