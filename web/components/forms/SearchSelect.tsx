import { t } from "@lingui/core/macro";
import { Select, type SelectProps } from "@mantine/core";
import { type KeyboardEvent, type SyntheticEvent, useState } from "react";

interface Props extends Omit<SelectProps, "data" | "searchable" | "searchValue" | "onSearchChange"> {
  data: readonly { value: string; label: string }[] | undefined;
}

/**
 * Select whose options are found by typing. The first character replaces the chosen text, and Enter chooses the first
 * match. Enter does not submit the form while the typed text is not the chosen option.
 */
export function SearchSelect({ data, value, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const chosen = data?.find((option) => option.value === value)?.label ?? "";
  const selectText = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    if (currentTarget.value === chosen) currentTarget.select();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && typed !== chosen) event.preventDefault();
  };
  return (
    <Select
      {...rest}
      data={data && [...data]}
      value={value ?? null}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      selectFirstOptionOnChange
      nothingFoundMessage={t`No match`}
      onFocus={selectText}
      onClick={selectText}
      onKeyDown={handleKeyDown}
    />
  );
}
