import { Button, Group, Modal, Progress, Radio, Stack, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import type { Task } from "../../../shared/entities/task";
import { messageOf, showError } from "../../components/toast";
import { useSubmitOnce } from "../../components/useSubmitOnce";
import { type PixelsChoice, useDryRun, useImportPreviewed } from "../../queries/dataset";
import { useCancelTask, useTasks } from "../../queries/tasks";
import { TaskLog } from "../tasks/TaskLog";
import { ReportTable } from "./ReportTable";
import { objectOf } from "./report";

interface Props {
  datasetId: number;
  file: File;
  onClose: () => void;
}

/** Says what the import of a file will do, before anything is stored; then the import is one press away. */
export function ImportDialog({ datasetId, file, onClose }: Props) {
  const { sent, task, error } = useFileDryRun(datasetId, file);
  const cancel = useCancelTask();
  const start = useImportPreviewed(datasetId);
  const submit = useSubmitOnce(start);
  const [pixels, setPixels] = useState<PixelsChoice>("upright");
  const unproven = unprovenImages(task);
  const handleClose = () => {
    if (task && !task.completed) cancel.mutate(task.id);
    onClose();
  };
  return (
    <Modal opened onClose={handleClose} title={`Import ${file.name}`} size="lg">
      <Stack gap="md">
        <DryRun sent={sent} task={task} error={error} />
        {unproven > 0 && <PixelsQuestion images={unproven} value={pixels} onChange={setPixels} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={handleClose}>
            Cancel
          </Button>
          <Button
            disabled={task?.state !== "done"}
            loading={start.isPending}
            onClick={() => task && submit({ dryRunId: task.id, ...(unproven > 0 && { pixels }) }, onClose)}
          >
            Import
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Images whose EXIF orientation could have been applied before the file was made, or not. */
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
      label={`${images === 1 ? "1 image is" : `${images.toLocaleString("en")} images are`} stored turned or mirrored`}
      description="The file does not show whether its coordinates were made before or after EXIF orientation."
      value={value}
      onChange={(chosen) => onChange(chosen === "stored" ? "stored" : "upright")}
    >
      <Stack gap={6} mt="xs">
        <Radio value="upright" label="For upright images, as Limn and browsers show them" />
        <Radio value="stored" label="For the pixels as stored: turn the annotations upright" />
      </Stack>
    </Radio.Group>
  );
}

interface State {
  /** Share of the file that the server has, 0 to 1. */
  sent: number;
  task: Task | undefined;
  error: unknown;
}

function DryRun({ sent, task, error }: State) {
  if (error) return <Text size="sm">{messageOf(error)}</Text>;
  if (task?.state === "failed" || task?.state === "cancelled")
    return (
      <>
        <Text size="sm">{task.state === "failed" ? "The file cannot be imported." : "The dry run was cancelled."}</Text>
        <TaskLog task={task} only="error" />
      </>
    );
  if (task?.state === "done")
    return (
      <>
        <Text size="sm" c="dimmed">
          Nothing has been stored yet. This is what the import will do:
        </Text>
        <ReportTable report={objectOf(task.result ?? undefined)} />
      </>
    );
  const isReading = sent === 1;
  return (
    <div>
      <Text size="sm" mb={6}>
        {isReading ? "Reading the file. Nothing is stored yet." : "Sending the file"}
      </Text>
      <Progress
        value={isReading ? (task?.progress ?? 0) : sent * 100}
        aria-label={isReading ? "Reading the file" : "Sending the file"}
      />
    </div>
  );
}

/** Sends a file for a dry run as soon as it is shown, and follows the task. */
function useFileDryRun(datasetId: number, file: File): State {
  const tasks = useTasks();
  const { mutateAsync } = useDryRun(datasetId);
  const [sent, setSent] = useState(0);
  const [taskId, setTaskId] = useState<number>();
  const [error, setError] = useState<unknown>();
  const send = useEffectEvent(async (wanted: File, signal: AbortSignal) => {
    try {
      const { id } = await mutateAsync({ file: wanted, onProgress: setSent, signal });
      setSent(1);
      setTaskId(id);
    } catch (failure) {
      if (signal.aborted) return;
      showError(failure);
      setError(failure);
    }
  });
  useEffect(() => {
    const controller = new AbortController();
    void send(file, controller.signal);
    return () => controller.abort();
  }, [file]);
  const task = tasks.state === "here" ? tasks.data.find(({ id }) => id === taskId) : undefined;
  return { sent, task, error };
}
