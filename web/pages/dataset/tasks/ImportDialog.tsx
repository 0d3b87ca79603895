import { msg, plural, t } from "@lingui/core/macro";
import { Button, Group, Modal, Progress, Radio, Stack, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { Task } from "../../../../shared/entities/task";
import { LoadErrorLine } from "../../../components/messages/LoadError";
import { messageOf } from "../../../components/messages/toast";
import { isOutcomeUnknown } from "../../../io/http/request";
import { type PixelsChoice, useDryRun, useImportPreviewed } from "../../../queries/dataset";
import { useCancelTask, useTasks } from "../../../queries/tasks";
import { useTaskForm } from "../../common/useCancelLate";
import { ReportTable } from "../../importReport/ReportTable";
import { objectOf } from "../../importReport/report";
import { TaskLog } from "../../tasks/TaskLog";

const LATE_CANCEL_TEXTS = {
  title: msg`Importing COCO`,
  cancelled: msg`The import is being cancelled.`,
  finished: msg`The import finished before it could be cancelled. You can undo it.`,
};

interface Props {
  datasetId: number;
  file: File;
  onClose: () => void;
}

/** Dialog that shows what an import will do, from a dry run of the file, and then starts it. */
export function ImportDialog({ datasetId, file, onClose }: Props) {
  const { name: fileName } = file;
  const dryRun = useFileDryRun(datasetId, file);
  const { task } = dryRun;
  const start = useImportPreviewed(datasetId);
  const { submit, cancel } = useTaskForm(start, LATE_CANCEL_TEXTS);
  const [pixels, setPixels] = useState<PixelsChoice>("upright");
  const unproven = unprovenImages(task);
  const handleImport = () => {
    if (task) submit({ dryRunId: task.id, ...(unproven > 0 && { pixels }) }, onClose);
  };
  const handleCancel = () => {
    cancel();
    onClose();
  };
  return (
    <Modal opened onClose={handleCancel} title={t`Import ${fileName}`} size="lg">
      <Stack gap="md">
        <DryRun {...dryRun} />
        {unproven > 0 && <PixelsQuestion images={unproven} value={pixels} onChange={setPixels} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={handleCancel}>
            {t`Cancel`}
          </Button>
          <Button disabled={task?.state !== "done"} loading={start.isPending} onClick={handleImport}>
            {t`Import`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Returns the number of images for which the file does not show if their EXIF orientation was applied. */
function unprovenImages(task: Task | undefined): number {
  const report = objectOf(task?.state === "done" ? (task.result ?? undefined) : undefined);
  return Number(objectOf(report.pixels).unproven ?? 0);
}

interface PixelsQuestionProps {
  images: number;
  value: PixelsChoice;
  onChange: (value: PixelsChoice) => void;
}

function PixelsQuestion({ images, value, onChange }: PixelsQuestionProps) {
  return (
    <Radio.Group
      label={plural(images, {
        one: "# image is stored rotated or mirrored",
        other: "# images are stored rotated or mirrored",
      })}
      description={t`The file does not show whether its coordinates apply before or after EXIF orientation.`}
      value={value}
      onChange={(chosen) => onChange(chosen === "stored" ? "stored" : "upright")}
    >
      <Stack gap={6} mt="xs">
        <Radio value="upright" label={t`They apply to upright images, as shown by Limn and browsers`} />
        <Radio value="stored" label={t`They apply to the pixels as stored; rotate the annotations upright`} />
      </Stack>
    </Radio.Group>
  );
}

interface State {
  /** Fraction of the file that has been sent, 0 to 1. */
  sent: number;
  task: Task | undefined;
  error: unknown;
  /** Sends the file again. */
  sendAgain: () => void;
  /** Set if the task list could not be loaded. */
  unknown: { error: Error; retry: () => unknown } | undefined;
}

function DryRun({ sent, task, error, sendAgain, unknown }: State) {
  if (error && isOutcomeUnknown(error)) return <LoadErrorLine error={error} onRetry={sendAgain} />;
  if (error) return <Text size="sm">{messageOf(error)}</Text>;
  if (unknown) return <LoadErrorLine error={unknown.error} onRetry={() => void unknown.retry()} />;
  if (task?.state === "failed" || task?.state === "cancelled")
    return (
      <>
        <Text size="sm">
          {task.state === "failed" ? t`The file cannot be imported.` : t`The dry run was cancelled.`}
        </Text>
        <TaskLog task={task} only="error" />
      </>
    );
  if (task?.state === "done")
    return (
      <>
        <Text size="sm" c="dimmed">
          {t`Nothing has been stored yet. This is what the import will do:`}
        </Text>
        <ReportTable report={objectOf(task.result ?? undefined)} />
      </>
    );
  const isReading = sent === 1;
  return (
    <div>
      <Text size="sm" mb={6}>
        {isReading ? t`Reading the file. Nothing is stored yet.` : t`Sending the file`}
      </Text>
      <Progress
        value={isReading ? (task?.progress ?? 0) : sent * 100}
        aria-label={isReading ? t`Reading the file` : t`Sending the file`}
      />
    </div>
  );
}

/** Sends a file for a dry run on mount, or again, and returns the task's state. Cancels the dry run on unmount. */
function useFileDryRun(datasetId: number, file: File): State {
  const tasks = useTasks();
  const { mutateAsync } = useDryRun(datasetId);
  const { mutate: cancel } = useCancelTask({ quiet: true });
  const [sent, setSent] = useState(0);
  const [taskId, setTaskId] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(1);
  const task = tasks.state === "loaded" ? tasks.data.find(({ id }) => id === taskId) : undefined;
  const sending = useMemo(() => ({ file, tries }), [file, tries]);
  const send = useEffectEvent(async ({ file: wanted }: { file: File }, run: Run) => {
    const onProgress = (share: number) => {
      run.sent = share;
      setSent(share);
    };
    try {
      const { id } = await mutateAsync({ file: wanted, onProgress, signal: run.controller.signal });
      if (run.isLeft) return cancel(id);
      setSent(1);
      setTaskId(id);
    } catch (failure) {
      if (!run.isLeft) setError(failure);
    }
  });
  const leave = useEffectEvent((run: Run) => {
    run.isLeft = true;
    // A file that is sent completely may have started its task, which is cancelled once the response has its id.
    if (run.sent < 1) run.controller.abort();
    if (taskId !== undefined && !task?.completed) cancel(taskId);
  });
  useEffect(() => {
    const run: Run = { controller: new AbortController(), sent: 0, isLeft: false };
    void send(sending, run);
    return () => leave(run);
  }, [sending]);
  const sendAgain = () => {
    setError(undefined);
    setSent(0);
    setTries(tries + 1);
  };
  const listError = tasks.state === "loading" ? null : tasks.error;
  const unknown = taskId !== undefined && !task && listError ? { error: listError, retry: tasks.retry } : undefined;
  return { sent, task, error, sendAgain, unknown };
}

/** Upload of a file. */
interface Run {
  controller: AbortController;
  /** Fraction of the file that has been sent, 0 to 1. */
  sent: number;
  isLeft: boolean;
}
