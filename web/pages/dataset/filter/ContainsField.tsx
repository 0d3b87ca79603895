import { TextInput } from "@mantine/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";

/** Pause in typing after which the filter is applied, in milliseconds. */
const TYPING_MS = 300;

/** Field for part of the file name. Applied when typing pauses, on Enter, and when the field loses focus. */
export function ContainsField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
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
    // Changed from outside, e.g. by "Clear filters".
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        label="Contains"
        placeholder="Part of the file name"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
}
