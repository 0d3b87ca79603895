import { t } from "@lingui/core/macro";
import { Button, Group, Progress, Skeleton, Stack, Text } from "@mantine/core";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { Task } from "../../../../shared/entities/task";
import type { FindingKind } from "../../../../shared/quality/finding";
import { EmptyState } from "../../../components/lists/EmptyState";
import { LoadError } from "../../../components/messages/LoadError";
import { dateLocale, numberText } from "../../../languages/formats";
import { i18n } from "../../../languages/i18n";
import { useQuality, useStartQualityCheck } from "../../../queries/tabs/quality";
import { type CountedKind, Findings } from "./Findings";
import { FixList } from "./FixList";
import { KIND_TEXTS } from "./kindTexts";
import classes from "./Quality.module.css";
import { useQualityTasks } from "./useQualityTasks";

interface Props {
  datasetId: number;
  mayEdit: boolean;
  onOpenTask: (task: Task) => void;
}

/** Findings of the last quality check. Nothing is changed without a press of a button. */
export function QualityTab({ datasetId, mayEdit, onOpenTask }: Props) {
  const query = useQuality(datasetId);
  const start = useStartQualityCheck(datasetId);
  const { check, fix } = useQualityTasks(datasetId);
  const [chosen, setChosen] = useState<FindingKind>();
  if (query.state === "loading") return <Skeleton m="md" height={160} w="auto" />;
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { checked, kinds, fixes } = query.data;
  const first = kinds.find(({ found }) => found > 0) ?? kinds[0];
  // The first kind stays chosen: if another took its place when it has no findings left, a click could hit that one's.
  if (chosen === undefined && first) setChosen(first.kind);
  const shown = kinds.find(({ kind }) => kind === chosen);
  const running = check ?? fix;
  const isBusy = !mayEdit || start.isPending || (running !== undefined && !running.completed);
  const head = (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {checked && checkedText(checked)}
        </Text>
        <Button size="xs" variant={checked ? "default" : "filled"} disabled={isBusy} onClick={() => start.mutate()}>
          {checked ? t`Check again` : t`Check the dataset`}
        </Button>
      </Group>
      {running && (
        <Group gap="xs" wrap="nowrap">
          <Progress
            flex={1}
            value={running.progress}
            aria-label={fix && !check ? t`Fixing findings` : t`Checking the quality`}
          />
          <Button size="compact-xs" variant="subtle" onClick={() => onOpenTask(running)}>
            {t`Open the task`}
          </Button>
        </Group>
      )}
    </Stack>
  );
  return (
    <div className={classes.page}>
      {head}
      {!checked && (
        <EmptyState icon={ShieldCheck} title={t`Not checked yet`}>
          {t`The check finds what spoils training: equal images, duplicate annotations, boxes that do not fit, leaks between splits, and more. It changes nothing by itself.`}
        </EmptyState>
      )}
      {checked && kinds.length === 0 && <EmptyState icon={ShieldCheck} title={t`Nothing was found`} />}
      {kinds.length > 0 && <Kinds kinds={kinds} shown={shown?.kind} onChoose={setChosen} />}
      {kinds.length > 0 && chosen && !shown && (
        <EmptyState icon={ShieldCheck} title={t`No findings of this kind are left`} />
      )}
      {shown && <Findings key={shown.kind} datasetId={datasetId} counted={shown} isBusy={isBusy} />}
      <FixList datasetId={datasetId} fixes={fixes} isBusy={isBusy} />
    </div>
  );
}

interface KindsProps {
  kinds: readonly CountedKind[];
  shown: FindingKind | undefined;
  onChoose: (kind: FindingKind) => void;
}

/** The kinds of findings with their numbers. */
function Kinds({ kinds, shown, onChoose }: KindsProps) {
  return (
    <ul className={classes.kinds} aria-label={t`Kinds of findings`}>
      {kinds.map(({ kind, found, ignored }) => (
        <li key={kind}>
          <button type="button" className={classes.kind} aria-pressed={kind === shown} onClick={() => onChoose(kind)}>
            <span>{i18n._(KIND_TEXTS[kind].name)}</span>
            <span className={classes.count}>{found > 0 ? numberText(found) : ignoredText(ignored)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ignoredText(ignored: number): string {
  const count = numberText(ignored);
  return t`${count} ignored`;
}

function checkedText(checked: { finished_at: string; images: number; annotations: number }): string {
  const date = new Date(checked.finished_at).toLocaleString(dateLocale(), { dateStyle: "medium", timeStyle: "short" });
  const [images, annotations] = [numberText(checked.images), numberText(checked.annotations)];
  return t`Checked ${date}. Images: ${images}, annotations: ${annotations}.`;
}
