import { MultiSelect, type MultiSelectProps } from "@mantine/core";
import { useState } from "react";
import { manyTags, SHOWN_AT_MOST } from "./manyTags";

interface Props extends Pick<MultiSelectProps, "label" | "description" | "hidePickedOptions" | "styles"> {
  /** Those that may be chosen. Undefined: not known yet, and the field waits for them. */
  categories: readonly { id: number; name: string }[] | undefined;
  /** More of them are on their way. */
  isDue?: boolean;
  value: readonly number[];
  onChange: (ids: number[]) => void;
  /** Of a dialog: where one begins to type. */
  "data-autofocus"?: boolean;
}

/** Options while the categories are due: the field is read only then. */
const NOT_KNOWN: { id: number; name: string }[] = [];

/** Chooses categories by name. Of thousands the first ones are listed: what is typed finds the others. */
export function CategoriesField({ categories, isDue = false, value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const isLoading = isDue || categories === undefined;
  const options = (categories ?? NOT_KNOWN).map(({ id, name }) => ({ value: String(id), label: name }));
  const chosen = new Set(value.map(String));
  const isLong = options.length > SHOWN_AT_MOST;
  return (
    <MultiSelect
      {...rest}
      data={options}
      // Without their names they would be shown as numbers.
      value={categories ? [...chosen] : []}
      onChange={(ids) => onChange(ids.map(Number))}
      placeholder={chosen.size > 0 ? undefined : isLong ? "Type to find a category" : "Add a category"}
      onSearchChange={setTyped}
      limit={SHOWN_AT_MOST}
      {...manyTags(
        options.filter((option) => chosen.has(option.value)),
        typed,
      )}
      searchable
      clearable
      readOnly={categories === undefined}
      aria-busy={isLoading}
      nothingFoundMessage={isLoading ? "Loading the categories" : "No such category"}
    />
  );
}
