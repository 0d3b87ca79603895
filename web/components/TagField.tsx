import { TagsInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { manyTags, SHOWN_AT_MOST } from "./manyTags";

interface Props {
  label: string;
  description?: string;
  value: string[];
  onChange: (names: string[]) => void;
  suggestions: string[];
  placeholder?: string;
  /** Told what is being typed. */
  onSearch?: (text: string) => void;
}

const BY_NAME = new Intl.Collator();

/** Names as tags: Enter or a comma adds, Backspace in the empty field takes the last; no name twice. */
export function TagField({ label, description, value, onChange, suggestions, placeholder, onSearch }: Props) {
  const [typed, setTyped] = useState("");
  const known = suggestions.join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same names in another array are nothing new
  const sorted = useMemo(() => [...new Set(suggestions)].sort(BY_NAME.compare), [known]);
  return (
    <TagsInput
      label={label}
      description={description}
      value={value}
      onChange={(names) => onChange(names.map((name) => name.trim()).filter(Boolean))}
      data={sorted}
      placeholder={value.length === 0 ? placeholder : undefined}
      onSearchChange={(text) => {
        setTyped(text);
        onSearch?.(text);
      }}
      limit={SHOWN_AT_MOST}
      styles={{ pillsList: { maxHeight: "40vh", overflowY: "auto" } }}
      {...manyTags(
        value.map((name) => ({ value: name, label: name })),
        typed,
      )}
      clearable
      // Of many tags one types to find some: that is no new name yet.
      acceptValueOnBlur={value.length <= SHOWN_AT_MOST}
    />
  );
}
