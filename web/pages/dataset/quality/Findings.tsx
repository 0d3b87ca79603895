import { plural, t } from "@lingui/core/macro";
import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { getQuality } from "../../../../shared/api/datasets/quality";
import type { OutputOf } from "../../../../shared/api/protocol/call";
import { fixOf } from "../../../../shared/quality/finding";
import { Pager } from "../../../components/lists/Pager";
import { LoadError } from "../../../components/messages/LoadError";
import { i18n } from "../../../languages/i18n";
import { shownOf } from "../../../queries/queryState";
import { useFindings, useFixFindings, useIgnoreFindings, type WhichFindings } from "../../../queries/tabs/quality";
import { ChangeCategories } from "./ChangeCategories";
import { FindingCard } from "./FindingCard";
import { KIND_TEXTS } from "./kindTexts";
import classes from "./Quality.module.css";

export type CountedKind = OutputOf<typeof getQuality>["kinds"][number];

interface Props {
  datasetId: number;
  counted: CountedKind;
  /** True while a check or a fix runs. */
  isBusy: boolean;
}

/** The findings of a kind as a gallery, with commands for one and for all. */
export function Findings({ datasetId, counted: { kind, found: all, ignored, can_fix }, isBusy }: Props) {
  const [wantsIgnored, setWantsIgnored] = useState(false);
  const [page, setPage] = useState(1);
  const [likely, setLikely] = useState<number>();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const showsIgnored = ignored > 0 && (wantsIgnored || all === 0);
  const query = useFindings(datasetId, { kind, likely, ignored: showsIgnored, page });
  const fix = useFixFindings(datasetId);
  const ignore = useIgnoreFindings(datasetId);
  const shown = shownOf(query);
  const isOff = isBusy || fix.isPending || ignore.isPending;
  // Commands are about what is shown, so there are none while another page loads.
  const seen = query.state === "loaded" ? { total: query.data.total, digest: query.data.digest } : undefined;
  const total = seen?.total ?? 0;
  // The number on a button is the one that the command sends: the kinds may have been counted earlier.
  const found = seen ? total : likely === undefined ? all : 0;
  // A finding that has left the list can no longer be deselected.
  const listed = new Set(shown?.data.findings.map(({ id }) => id));
  const selected = chosen.filter((id) => listed.has(id));
  const changesCategory = fixOf(kind) === "changeCategory" && !showsIgnored;
  const handlePage = (next: number) => {
    setChosen([]);
    setPage(next);
  };
  const handleLikely = (category: number | undefined) => {
    setLikely(category);
    handlePage(1);
  };
  const handleIgnored = () => {
    setWantsIgnored(!showsIgnored);
    handleLikely(undefined);
  };
  const handleChange = (which: WhichFindings) => {
    fix.fix(which, () => handleLikely(undefined));
  };
  const handleToggle = (id: number) =>
    setChosen(selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id]);
  return (
    <Stack component="section" gap="sm" aria-label={i18n._(KIND_TEXTS[kind].name)}>
      <Text size="sm">{i18n._(KIND_TEXTS[kind].reason)}</Text>
      <Group gap="xs">
        {changesCategory && (
          <ChangeCategories
            kind={kind}
            suggested={shown?.data.suggested ?? []}
            likely={likely}
            onLikely={handleLikely}
            selected={selected}
            seen={isOff ? undefined : seen}
            onChange={handleChange}
          />
        )}
        {!showsIgnored && can_fix && !changesCategory && (
          <Button size="xs" disabled={isOff || !total} onClick={() => seen && fix.fix({ kind, ...seen })}>
            {plural(found, { one: "Fix # finding", other: "Fix # findings" })}
          </Button>
        )}
        {!showsIgnored && (
          <Button
            size="xs"
            variant="default"
            disabled={isOff || !total}
            onClick={() => seen && ignore.mutate({ kind, likely, ...seen, ignored: true })}
          >
            {plural(found, { one: "Ignore # finding", other: "Ignore # findings" })}
          </Button>
        )}
        {ignored > 0 && all > 0 && (
          <Button size="xs" variant="subtle" onClick={handleIgnored}>
            {showsIgnored
              ? plural(all, { one: "Show # finding", other: "Show # findings" })
              : plural(ignored, { one: "Show # ignored", other: "Show # ignored" })}
          </Button>
        )}
      </Group>
      {query.state === "failed" && <LoadError error={query.error} onRetry={() => void query.retry()} />}
      {query.state === "loading" && !shown && <Skeleton height={220} />}
      {shown && (
        <>
          <div className={classes.grid} data-stale={shown.isStale || undefined}>
            {shown.data.findings.map((finding) => (
              <FindingCard
                key={finding.id}
                finding={finding}
                onFix={
                  can_fix && !finding.is_ignored && !isOff && !shown.isStale
                    ? () => fix.fix({ kind, ids: [finding.id] })
                    : undefined
                }
                onIgnore={
                  isOff || shown.isStale
                    ? undefined
                    : () => ignore.mutate({ kind, ids: [finding.id], ignored: !finding.is_ignored })
                }
                selection={
                  changesCategory && !shown.isStale
                    ? { isSelected: selected.includes(finding.id), onToggle: () => handleToggle(finding.id) }
                    : undefined
                }
              />
            ))}
          </div>
          <Pager page={shown.data.page} pages={shown.data.pages} onChange={handlePage} label={t`Pages of findings`} />
        </>
      )}
    </Stack>
  );
}
