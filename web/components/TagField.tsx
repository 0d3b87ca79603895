import { TagsInput } from "@mantine/core";

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

/** Names as tags: Enter or a comma adds, Backspace in the empty field takes the last; no name twice. */
export function TagField({ label, description, value, onChange, suggestions, placeholder, onSearch }: Props) {
  return (
    <TagsInput
      label={label}
      description={description}
      value={value}
      onChange={(names) => onChange(names.map((name) => name.trim()).filter(Boolean))}
      data={[...new Set(suggestions)].sort((a, b) => a.localeCompare(b))}
      placeholder={value.length === 0 ? placeholder : undefined}
      {...(onSearch && { onSearchChange: onSearch })}
      clearable
      acceptValueOnBlur
    />
  );
}
