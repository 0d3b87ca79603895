import { TextInput } from "@mantine/core";
import { Search as Glass } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useEditor, useSearch } from "../../editor/context";
import type { SearchState } from "../../state/search";

interface Props {
  /** Name by which a command focuses the field. */
  name: NonNullable<SearchState["focus"]>;
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
}

/**
 * Small search field. Arrow keys move through the matches, Enter selects one and focuses the canvas; Escape clears the
 * field, then leaves it.
 */
export function SearchField({ name, label, placeholder, value, onChange }: Props) {
  const editor = useEditor();
  const { search, navigation, labels, mode } = editor;
  const field = useRef<HTMLInputElement>(null);
  const shouldFocus = useSearch((state) => state.focus === name);
  useEffect(() => {
    if (!shouldFocus) return;
    field.current?.select();
    search.requestFocus(null);
  }, [shouldFocus, search]);
  const handleKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    // Enter and arrow keys belong to an input method while it composes.
    if (event.nativeEvent.isComposing) return;
    const isLabels = mode.mode === "label";
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      const by = key === "ArrowUp" ? -1 : 1;
      if (isLabels) labels.move(by);
      else navigation.move(by);
    }
    if (key === "Enter") {
      event.preventDefault();
      if (isLabels) labels.selectFound();
      else navigation.selectFound(name);
      editor.focus();
    }
    if (key !== "Escape" || value === "") return;
    event.preventDefault();
    onChange("");
  };
  return (
    <TextInput
      ref={field}
      size="xs"
      placeholder={placeholder}
      aria-label={label}
      leftSection={<Glass size={13} />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={handleKeyDown}
    />
  );
}
