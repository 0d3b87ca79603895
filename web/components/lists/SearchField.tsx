import { t } from "@lingui/core/macro";
import { CloseButton, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import type { KeyboardEvent } from "react";
import { usePausedText } from "../usePausedText";

interface Props {
  /** Accessible name and placeholder. */
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** Field that narrows a list by a text. The text is applied when typing pauses or on Enter; Escape clears the text. */
export function SearchField({ label, value, onChange }: Props) {
  const { text, setText, apply } = usePausedText(value, onChange);
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "Enter") apply();
    if (event.key === "Escape") setText("");
  };
  return (
    <TextInput
      type="search"
      size="xs"
      w={200}
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={14} />}
      rightSection={
        text !== "" && <CloseButton size="xs" aria-label={t`Clear the search`} onClick={() => setText("")} />
      }
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={handleKey}
      onBlur={apply}
    />
  );
}
