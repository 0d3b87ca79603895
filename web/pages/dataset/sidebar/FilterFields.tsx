import { msg, t } from "@lingui/core/macro";
import { Checkbox, MultiSelect, Select, Stack } from "@mantine/core";
import { memo } from "react";
import { stageText } from "../../../components/stages/stageTexts";
import { CategoriesField } from "../../../components/tags/CategoriesField";
import { i18n } from "../../../languages/i18n";
import { useHasOpenThreads } from "../../../queries/comments";
import { ContainsField } from "../filter/ContainsField";
import type { Filter, Kind } from "../filter/filter";
import type { ChangeFilter } from "../filter/useFilter";
import classes from "./Sidebar.module.css";

const ORDERS = [
  { value: "file_name", label: msg`File Name` },
  { value: "id", label: msg`ID` },
  { value: "path", label: msg`File Path` },
];

const NOBODY = "nobody";
const SHOWN_STAGES = ["new", "annotating", "to_review", "returned", "accepted"] as const;

interface Props {
  datasetId: number;
  /** Undefined until loaded. */
  categories: { id: number; name: string }[] | undefined;
  /** True if the dataset asks for review, or has images that wait for one or were returned. */
  hasStages: boolean;
  /** Usernames of the owner and the members; the user first. */
  members: readonly string[];
  /** The user's name if images can be assigned to the user. */
  me: string | undefined;
  filter: Filter;
  onFilter: ChangeFilter;
}

/** Fields for the filter and order of the image list. */
export const FilterFields = memo(function FilterFields(props: Props) {
  const { datasetId, categories, hasStages, members, me, filter, onFilter } = props;
  const hasOpenThreads = useHasOpenThreads(datasetId);
  return (
    <section aria-label={t`Filters`}>
      <h2 className={classes.heading}>{t`Filters`}</h2>
      <Stack gap="sm">
        <ContainsField value={filter.contains} onChange={(contains) => onFilter({ contains }, { replace: true })} />
        <Checkbox
          size="xs"
          label={t`Show Annotated`}
          checked={isShown(true, filter.annotated)}
          onChange={(event) => onFilter({ annotated: shown(event.currentTarget.checked, true, filter.annotated) })}
        />
        <Checkbox
          size="xs"
          label={t`Show Not Annotated`}
          checked={isShown(false, filter.annotated)}
          onChange={(event) => onFilter({ annotated: shown(event.currentTarget.checked, false, filter.annotated) })}
        />
        {hasStages ? (
          <MultiSelect
            label={t`Stage`}
            data={SHOWN_STAGES.map((stage) => ({ value: stage, label: stageText(stage) }))}
            value={filter.stages}
            onChange={(stages) => onFilter({ stages: SHOWN_STAGES.filter((stage) => stages.includes(stage)) })}
            placeholder={filter.stages.length > 0 ? undefined : t`All stages`}
            clearable
          />
        ) : (
          <>
            <Checkbox
              size="xs"
              label={t`Show Done`}
              checked={isShown(true, filter.done)}
              onChange={(event) => onFilter({ done: shown(event.currentTarget.checked, true, filter.done) })}
            />
            <Checkbox
              size="xs"
              label={t`Show Not Done`}
              checked={isShown(false, filter.done)}
              onChange={(event) => onFilter({ done: shown(event.currentTarget.checked, false, filter.done) })}
            />
          </>
        )}
        {(filter.hasOpenThreads || hasOpenThreads) && (
          <Checkbox
            size="xs"
            label={t`Only with Open Comments`}
            checked={filter.hasOpenThreads}
            onChange={(event) => onFilter({ hasOpenThreads: event.currentTarget.checked })}
          />
        )}
        {members.length > 1 && me !== undefined && (
          <Checkbox
            size="xs"
            label={t`Assigned to Me`}
            checked={filter.assignee === me}
            onChange={(event) => onFilter({ assignee: event.currentTarget.checked ? me : undefined })}
          />
        )}
        {(members.length > 1 || filter.assignee !== undefined) && (
          <Select
            label={t`Assigned to`}
            data={[
              { value: "", label: t`Everyone and nobody` },
              { value: NOBODY, label: t`Nobody` },
              ...members.map((name) => ({ value: `=${name}`, label: name })),
            ]}
            value={filter.assignee === null ? NOBODY : filter.assignee === undefined ? "" : `=${filter.assignee}`}
            onChange={(value) => onFilter({ assignee: value === NOBODY ? null : value ? value.slice(1) : undefined })}
            allowDeselect={false}
            searchable={members.length > 8}
          />
        )}
        <CategoriesField
          label={t`Show Annotated Categories`}
          categories={categories}
          value={filter.categories}
          onChange={(ids) => onFilter({ categories: ids })}
        />
        <Select
          label={t`Order by`}
          data={ORDERS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          value={filter.order.replace(/^-/, "")}
          onChange={(order) => order && onFilter({ order })}
          allowDeselect={false}
        />
      </Stack>
    </section>
  );
});

/** Returns true if the checkbox of a kind is ticked. */
const isShown = (kind: boolean, now: Kind): boolean => now === undefined || now === kind;

/** Returns the kind to show after a click on the checkbox of `kind`; "none" if no checkbox is ticked. */
export function shown(isChecked: boolean, kind: boolean, now: Kind): Kind {
  const isOtherShown = isShown(!kind, now);
  if (isChecked) return isOtherShown ? undefined : kind;
  return isOtherShown ? !kind : "none";
}
