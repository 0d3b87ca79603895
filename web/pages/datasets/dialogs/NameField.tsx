import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { datasetName } from "../../../../shared/entities/dataset";

interface Props {
  value: string;
  onChange: (value: string) => void;
  description?: string;
  /** True shows an error even before the user has typed a name. */
  isChecked: boolean;
  isFocused?: boolean;
}

/** Field for a dataset's name. */
export function NameField({ value, onChange, description, isChecked, isFocused }: Props) {
  const [isTouched, setTouched] = useState(false);
  return (
    <TextInput
      label={t`Dataset Name`}
      description={description}
      withAsterisk
      data-autofocus={isFocused || undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => value !== "" && setTouched(true)}
      error={(isChecked || isTouched) && nameError(value)}
    />
  );
}

/** Returns the reason why a dataset cannot have this name, or null if it can. Ignores surrounding white space. */
export function nameError(name: string): string | null {
  const result = datasetName.safeParse(name.trim());
  return result.success ? null : (result.error.issues[0]?.message ?? null);
}
