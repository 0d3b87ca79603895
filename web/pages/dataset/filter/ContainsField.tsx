import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { usePausedText } from "../../../components/usePausedText";

/** Field for part of the file name. Applied when typing pauses, on Enter, and when the field loses focus. */
export function ContainsField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { text, setText, apply } = usePausedText(value, onChange);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        label={t`Contains`}
        placeholder={t`Part of the file name`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
}
