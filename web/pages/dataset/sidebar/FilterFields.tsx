import { Button, Checkbox, Select, Stack } from "@mantine/core";
import { memo } from "react";
import { CategoriesField } from "../../../components/forms/CategoriesField";
import { ContainsField } from "../filter/ContainsField";
import { type Filter, isNarrowed, NOT_NARROWED } from "../filter/filter";
import type { ChangeFilter } from "../filter/useFilter";
import classes from "./Sidebar.module.css";

const ORDERS = [
  { value: "file_name", label: "File Name" },
  { value: "id", label: "ID" },
  { value: "path", label: "File Path" },
];

interface Props {
  /** Undefined until loaded. */
  categories: { id: number; name: string }[] | undefined;
  filter: Filter;
  onFilter: ChangeFilter;
}

/** Fields for the filter and order of the image list. */
export const FilterFields = memo(function FilterFields({ categories, filter, onFilter }: Props) {
  return (
    <section aria-label="Filters">
      <h2 className={classes.heading}>Filters</h2>
      <Stack gap="sm">
        <ContainsField value={filter.contains} onChange={(contains) => onFilter({ contains }, { replace: true })} />
        <Checkbox
          size="xs"
          label="Show Annotated"
          checked={filter.annotated !== false}
          onChange={(event) => onFilter({ annotated: shown(event.currentTarget.checked, true, filter.annotated) })}
        />
        <Checkbox
          size="xs"
          label="Show Not Annotated"
          checked={filter.annotated !== true}
          onChange={(event) => onFilter({ annotated: shown(event.currentTarget.checked, false, filter.annotated) })}
        />
        <Checkbox
          size="xs"
          label="Show Done"
          checked={filter.done !== false}
          onChange={(event) => onFilter({ done: shown(event.currentTarget.checked, true, filter.done) })}
        />
        <Checkbox
          size="xs"
          label="Show Not Done"
          checked={filter.done !== true}
          onChange={(event) => onFilter({ done: shown(event.currentTarget.checked, false, filter.done) })}
        />
        <CategoriesField
          label="Show Annotated Categories"
          categories={categories}
          value={filter.categories}
          onChange={(ids) => onFilter({ categories: ids })}
        />
        <Select
          label="Order by"
          data={ORDERS}
          value={filter.order.replace(/^-/, "")}
          onChange={(order) => order && onFilter({ order })}
          allowDeselect={false}
        />
        {isNarrowed(filter) && (
          <Button variant="subtle" onClick={() => onFilter(NOT_NARROWED)}>
            Clear filters
          </Button>
        )}
      </Stack>
    </section>
  );
});

/**
 * Returns the filter after a click on one of a pair of checkboxes; undefined shows both kinds. Unticking the last
 * ticked box shows the other kind instead of an empty list.
 */
export function shown(isChecked: boolean, kind: boolean, now: boolean | undefined): boolean | undefined {
  if (isChecked) return now === kind ? kind : undefined;
  return !kind;
}
