import { useEffect, useEffectEvent, useRef, useState } from "react";

/** Pause in typing before the text is applied, in milliseconds. */
const TYPING_MS = 300;

/**
 * Returns the text of a field whose value is applied when typing pauses, and by `apply`, e.g. on Enter and when the
 * field loses focus. A change of `value` by another component replaces the text.
 */
export function usePausedText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const apply = () => {
    if (text === applied.current) return;
    applied.current = text;
    onChange(text);
  };
  const handlePause = useEffectEvent(apply);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text restarts the pause
  useEffect(() => {
    const pause = setTimeout(() => handlePause(), TYPING_MS);
    return () => clearTimeout(pause);
  }, [text]);
  useEffect(() => {
    // `onChange` may store the text without the spaces around it, which the user may be typing on after.
    if (value.trim() === applied.current.trim()) return;
    applied.current = value;
    setText(value);
  }, [value]);
  return { text, setText, apply };
}
