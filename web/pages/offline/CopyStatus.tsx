import { t } from "@lingui/core/macro";
import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { Pause, Play, RotateCw, SlidersHorizontal, Trash2 } from "lucide-react";
import { useIsAway } from "../../components/offline/away";
import type { Copies } from "../../offline/copies";
import type { CopyProgress } from "../../offline/copy/copiesState";
import { choiceText, shareOf, sizeText, stateText } from "./copyTexts";
import { timeText } from "./timeText";

interface Props {
  copies: Copies;
  copy: CopyProgress;
  onChange: () => void;
  onRemove: () => void;
}

/** State of a dataset's copy, with the commands that are possible in this state. */
export function CopyStatus({ copies, copy, onChange, onRemove }: Props) {
  const { datasetId, state, syncedAt } = copy;
  const isAway = useIsAway();
  const isLoading = state === "running" || state === "waiting";
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={600} mb={6} role="status" c={state === "failed" ? "var(--mantine-color-error)" : undefined}>
          {isAway && isLoading ? t`Continues when the server can be reached` : stateText(copy)}
        </Text>
        <Progress
          value={100 * shareOf(copy)}
          color={state === "failed" ? "red" : state === "paused" ? "gray" : undefined}
          aria-label={t`Downloaded`}
        />
        <Text size="sm" c="dimmed" mt={6}>
          {sizeText(copy)}
        </Text>
      </div>
      <Text size="sm">
        {choiceText(copy.choice)}. {syncedAt === null ? t`Not complete yet.` : syncedText(timeText(syncedAt))}{" "}
        {t`Limn updates the copy automatically while the server can be reached.`}
      </Text>
      <Group justify="space-between" gap="xs">
        <Button variant="subtle" color="red" leftSection={<Trash2 size={14} />} onClick={onRemove}>
          {t`Remove`}
        </Button>
        <Group gap="xs">
          <Button variant="default" leftSection={<SlidersHorizontal size={14} />} onClick={onChange}>
            {t`Change`}
          </Button>
          {isLoading && (
            <Button variant="default" leftSection={<Pause size={14} />} onClick={() => void copies.pause(datasetId)}>
              {t`Pause`}
            </Button>
          )}
          {(state === "paused" || state === "failed") && (
            <Button
              leftSection={state === "paused" ? <Play size={14} /> : <RotateCw size={14} />}
              onClick={() => void copies.resume(datasetId)}
            >
              {state === "paused" ? t`Resume` : t`Try again`}
            </Button>
          )}
        </Group>
      </Group>
    </Stack>
  );
}

const syncedText = (time: string): string => t`Last synced ${time}.`;
