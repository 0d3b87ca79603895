import { t } from "@lingui/core/macro";
import { Button, Group, Skeleton, Text } from "@mantine/core";
import { TASK_GROUPS, type Task } from "../../../shared/entities/task";
import { LoadErrorLine } from "../../components/messages/LoadError";
import { showFailure } from "../../components/messages/toast";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useComparedImages, useCompareImages, useRefreshComparedImages } from "../../queries/assignment/comparedImages";
import { useButtonTask } from "./tasks/useButtonTask";

/** Shows how many images are compared for the order of the queue, and offers to compare the others. */
export function ComparedImages({ datasetId }: { datasetId: number }) {
  const refresh = useRefreshComparedImages(datasetId);
  const compare = useCompareImages(datasetId);
  const handleEnd = (task: Task) => {
    void refresh();
    if (task.state === "failed") showFailure(t`Queue`, t`The task failed. See its log under Tasks.`);
  };
  const task = useButtonTask({ datasetId, group: TASK_GROUPS.embedImages, onEnd: handleEnd });
  const isRunning = task !== undefined && !task.completed;
  const counts = useComparedImages(datasetId, isRunning);
  if (counts.state === "loading") return <Skeleton height={20} w={280} />;
  if (counts.state === "failed") return <LoadErrorLine error={counts.error} onRetry={() => void counts.retry()} />;
  const { images, compared, unreadable } = counts.data;
  const missing = images - compared - unreadable;
  return (
    <Group gap="sm" aria-live="polite">
      <Text size="sm" c="dimmed">
        {isRunning ? t`The order is being computed: ${compared} of ${images} images.` : resting()}
      </Text>
      {!isRunning && missing + unreadable > 0 && (
        <NeedsServer>
          <Button
            size="compact-sm"
            variant="default"
            loading={compare.isPending}
            onClick={() => compare.mutate()}
          >{t`Compare the others`}</Button>
        </NeedsServer>
      )}
    </Group>
  );

  function resting(): string {
    if (missing > 0) return t`${compared} of ${images} images are compared. The others come last.`;
    if (unreadable > 0)
      return t`${compared} of ${images} images are compared. The others cannot be read and come last.`;
    return t`All images are compared.`;
  }
}
