import { t } from "@lingui/core/macro";
import { Button, Group, Stack, Text } from "@mantine/core";
import type { getQuality } from "../../../../shared/api/datasets/quality";
import type { OutputOf } from "../../../../shared/api/protocol/call";
import { dateLocale, numberText } from "../../../languages/formats";
import { i18n } from "../../../languages/i18n";
import { useUndoFixes } from "../../../queries/tabs/quality";
import { KIND_TEXTS } from "./kindTexts";

type Fixes = OutputOf<typeof getQuality>["fixes"];

/** The fixes of the last 30 days, each with a button that undoes it. */
export function FixList({ datasetId, fixes, isBusy }: { datasetId: number; fixes: Fixes; isBusy: boolean }) {
  const undoFixes = useUndoFixes(datasetId);
  if (fixes.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-label={t`Fixes`}>
      {fixes.map(({ undo, kind, fixed, made_at }) => {
        const text = fixText(i18n._(KIND_TEXTS[kind].name), fixed, made_at);
        return (
          <Group key={undo} justify="space-between" gap="xs" wrap="nowrap">
            <Text size="xs" c="dimmed">
              {text}
            </Text>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t`Undo: ${text}`}
              disabled={isBusy}
              loading={undoFixes.isPending && undoFixes.variables === undo}
              onClick={() => undoFixes.mutate(undo)}
            >
              {t`Undo`}
            </Button>
          </Group>
        );
      })}
    </Stack>
  );
}

function fixText(name: string, fixed: number, madeAt: string): string {
  const [count, date] = [numberText(fixed), new Date(madeAt).toLocaleString(dateLocale())];
  return t`${name}: ${count} fixed, ${date}`;
}
