import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { X } from "lucide-react";
import { stageText } from "../../../components/stages/stageTexts";
import classes from "./FilterChips.module.css";
import { type Filter, isNarrowed, NOT_NARROWED } from "./filter";

interface Props {
  filter: Filter;
  onFilter: (part: Partial<Filter>) => void;
  categories: readonly { id: number; name: string; color: string }[];
}

/** The filters that narrow the list, each with a button that removes it. Shows nothing if no filter is set. */
export function FilterChips({ filter, onFilter, categories }: Props) {
  if (!isNarrowed(filter)) return null;
  const { contains, annotated, done, hasOpenThreads } = filter;
  const kept = (removed: number) => filter.categories.filter((id) => id !== removed);
  return (
    <fieldset className={classes.chips} aria-label={t`Filters in use`}>
      {contains !== "" && <Chip text={t`Name: ${contains}`} onRemove={() => onFilter({ contains: "" })} />}
      {annotated !== undefined && (
        <Chip
          text={kindText(annotated, [t`Annotated`, t`Not annotated`, t`Annotated: neither`])}
          onRemove={() => onFilter({ annotated: undefined })}
        />
      )}
      {done !== undefined && (
        <Chip
          text={kindText(done, [t`Done`, t`Not done`, t`Done: neither`])}
          onRemove={() => onFilter({ done: undefined })}
        />
      )}
      {filter.stages.map((stage) => (
        <Chip
          key={stage}
          text={stageText(stage)}
          onRemove={() => onFilter({ stages: filter.stages.filter((other) => other !== stage) })}
        />
      ))}
      {hasOpenThreads && <Chip text={t`Open comments`} onRemove={() => onFilter({ hasOpenThreads: false })} />}
      {filter.assignee !== undefined && (
        <Chip
          text={filter.assignee === null ? t`Assigned to nobody` : t`Assigned to ${{ user: filter.assignee }}`}
          onRemove={() => onFilter({ assignee: undefined })}
        />
      )}
      {filter.categories.map((id) => {
        const category = categories.find((each) => each.id === id);
        const text = category?.name ?? t`Category ${id}`;
        return (
          <Chip key={id} text={text} color={category?.color} onRemove={() => onFilter({ categories: kept(id) })} />
        );
      })}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onFilter(NOT_NARROWED)}>
        {t`Clear filters`}
      </Button>
    </fieldset>
  );
}

const kindText = (kind: boolean | "none", [yes, no, neither]: [string, string, string]): string =>
  kind === "none" ? neither : kind ? yes : no;

function Chip({ text, color, onRemove }: { text: string; color?: string | undefined; onRemove: () => void }) {
  return (
    <span className={classes.chip}>
      {color && <span className={classes.swatch} style={{ background: color }} />}
      <span className={classes.text}>{text}</span>
      <button type="button" aria-label={t`Remove the filter ${text}`} onClick={onRemove}>
        <X size={12} />
      </button>
    </span>
  );
}
