import { TagsInput } from "@mantine/core";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { leftText } from "./leftText";
import { manyTags, SHOWN_AT_MOST } from "./manyTags";

interface Props {
  label: string;
  description?: string;
  value: string[];
  onChange: (names: string[]) => void;
  /** The known names. Undefined: not known yet. */
  suggestions: string[] | undefined;
  placeholder?: string;
  /** What an unknown name makes, e.g. "category". What looks like half of a known one is then taken on Enter alone. */
  makes?: string;
  /** Told what is being typed. */
  onSearch?: (text: string) => void;
}

const BY_NAME = new Intl.Collator();

/**
 * Names as tags: Enter or a comma adds, Backspace in the empty field takes the last; no name twice. What is typed and
 * left is added as well; but see `makes`.
 */
export function TagField({ label, description, value, onChange, suggestions, placeholder, makes, onSearch }: Props) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.setCustomValidity(error), [error]);
  const isFocused = useRef(false);
  const known = suggestions?.join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same names in another array are nothing new
  const sorted = useMemo(() => [...new Set(suggestions ?? [])].sort(BY_NAME.compare), [known]);
  // Of many tags one types to find some: that is no new name yet.
  const isTaken = value.length <= SHOWN_AT_MOST;
  const handleType = (text: string) => {
    setTyped(text);
    setError("");
    onSearch?.(text);
  };
  const takeTyped = () => {
    if (!isTaken || !makes || typed.trim() === "") return;
    if (!suggestions) return setError("The known names are being loaded.");
    const left = leftText(typed, suggestions);
    if (!left) return;
    if ("ask" in left) return setError(`Press Enter here to make the new ${makes} “${left.ask}”, or clear it.`);
    handleType("");
    if (!value.some((name) => name.toLowerCase() === left.take.toLowerCase())) onChange([...value, left.take]);
  };
  const handleBlur = () => {
    isFocused.current = false;
    takeTyped();
  };
  // Text that was left before the known names were here is taken, or asked about, as they come.
  const handleKnown = useEffectEvent(() => {
    if (isFocused.current) return;
    setError("");
    takeTyped();
  });
  useEffect(() => {
    if (known !== undefined) handleKnown();
  }, [known]);
  return (
    <TagsInput
      ref={input}
      label={label}
      description={description}
      value={value}
      onChange={(names) => onChange(names.map((name) => name.trim()).filter(Boolean))}
      data={sorted}
      placeholder={value.length === 0 ? placeholder : undefined}
      searchValue={typed}
      onSearchChange={handleType}
      onFocus={() => {
        isFocused.current = true;
      }}
      onBlur={handleBlur}
      error={error}
      limit={SHOWN_AT_MOST}
      styles={{ pillsList: { maxHeight: "40vh", overflowY: "auto" } }}
      {...manyTags(
        value.map((name) => ({ value: name, label: name })),
        typed,
      )}
      clearable
      acceptValueOnBlur={isTaken && !makes}
    />
  );
}
