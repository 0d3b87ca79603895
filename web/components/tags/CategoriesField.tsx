import { t } from "@lingui/core/macro";
import { MultiSelect, type MultiSelectProps } from "@mantine/core";
import { useMemo, useState } from "react";
import { compareNaturally } from "../../../shared/text/fold";
import { manyTags, SHOWN_AT_MOST } from "./manyTags";
import classes from "./manyTags.module.css";

interface Props extends Pick<MultiSelectProps, "label" | "description" | "hidePickedOptions" | "styles"> {
  /** The categories to choose from. Undefined while they load; the field is read-only then. */
  categories: readonly { id: number; name: string }[] | undefined;
  /** True while more categories are loading. */
  isPartial?: boolean;
  value: readonly number[];
  onChange: (ids: number[]) => void;
  /** Set on the field that a dialog focuses first. */
  "data-autofocus"?: boolean;
}

const NO_OPTIONS: { id: number; name: string }[] = [];

/** Input that selects categories by name. Long lists show only the first options; typing finds the others. */
export function CategoriesField({ categories, isPartial = false, value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const isLoading = isPartial || categories === undefined;
  const options = useMemo(
    () =>
      [...(categories ?? NO_OPTIONS)]
        .sort((a, b) => compareNaturally(a.name, b.name))
        .map(({ id, name }) => ({ value: String(id), label: name })),
    [categories],
  );
  const chosen = new Set(value.map(String));
  const isLong = options.length > SHOWN_AT_MOST;
  return (
    <MultiSelect
      classNames={{ pillsList: classes.list }}
      {...rest}
      data={options}
      // Until the names are loaded, the ids would be shown as numbers.
      value={categories ? [...chosen] : []}
      onChange={(ids) => onChange(ids.map(Number))}
      placeholder={chosen.size > 0 ? undefined : isLong ? t`Type to find a category` : t`Add a category`}
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
      nothingFoundMessage={isLoading ? t`Loading categories…` : t`No matching category`}
    />
  );
}
