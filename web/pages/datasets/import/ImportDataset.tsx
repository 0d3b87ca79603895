import { t } from "@lingui/core/macro";
import { Button, Group, Modal, Progress as ProgressBar, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { Json } from "../../../../shared/entities/scalars";
import { useStillOpen } from "../../../components/forms/useStillOpen";
import { isRepeatedClick } from "../../../components/isRepeatedClick";
import { messageOf, showError, showFailure, showSuccess } from "../../../components/messages/toast";
import { RequestError } from "../../../io/http/request";
import { SessionEnded } from "../../../io/http/sessionCalls";
import type { UploadResult } from "../../uploads/uploadQueue";
import { ImportDatasetForm } from "./ImportDatasetForm";
import { ImportedDataset } from "./ImportedDataset";
import { type Choice, importDataset, type Progress, type Step } from "./importDataset";

const title = (): string => t`Import a dataset`;

type State =
  | { phase: "choosing" }
  | { phase: "running"; step: Step }
  | { phase: "stopped"; choice: Choice; reason: string }
  | { phase: "done"; report: Record<string, Json>; refused: UploadResult[] };

/** Dialog that creates a dataset from an annotation file and its images, and shows the result. */
export function ImportDataset({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [state, setState] = useState<State>({ phase: "choosing" });
  const [isCancelling, setCancelling] = useState(false);
  const progress = useRef<Progress>({ left: [], refused: [] });
  const running = useRef<AbortController | null>(null);
  const isStillOpen = useStillOpen();

  /**
   * Starts an import, or continues a stopped one. Ignores a second click, which may arrive before the first is
   * rendered.
   */
  const run = async (choice: Choice, from: Progress = progress.current) => {
    if (running.current) return;
    progress.current = from;
    const { name } = choice;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const onStep = (step: Step) => setState({ phase: "running", step });
    signal.addEventListener("abort", () => setCancelling(true));
    setCancelling(false);
    try {
      const report = await importDataset(choice, progress.current, { client, signal, onStep });
      running.current = null;
      setState({ phase: "done", report, refused: progress.current.refused });
      if (!isStillOpen()) showSuccess(title(), t`“${name}” was imported.`);
    } catch (error) {
      running.current = null;
      if (error instanceof SessionEnded) return;
      const isCancelled = error === signal.reason;
      const reason = isCancelled ? t`The import was cancelled.` : messageOf(error);
      if (error instanceof RequestError && !isCancelled) showError(error);
      else if (!isStillOpen()) showFailure(title(), reason);
      if (progress.current.datasetId === undefined) return setState({ phase: "choosing" });
      setState({ phase: "stopped", choice, reason });
    }
  };
  const handleSubmit = (choice: Choice) => void run(choice, { left: choice.images, refused: [] });
  const handleOpen = () => {
    onClose();
    void navigate(`/dataset/${progress.current.datasetId}`);
  };
  const isRunning = state.phase === "running";
  return (
    <Modal
      opened
      onClose={onClose}
      title={title()}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!isRunning}
      withCloseButton={!isRunning}
    >
      {/* Stays mounted while the import runs, so that the choices are still there if the name turns out to be taken. */}
      <div hidden={state.phase !== "choosing"}>
        <ImportDatasetForm onSubmit={handleSubmit} onClose={onClose} />
      </div>
      {state.phase === "running" && (
        <Stack gap="md">
          <div>
            <Text size="sm" mb={6} role="status">
              {isCancelling ? t`Cancelling the import` : state.step.text}
            </Text>
            <ProgressBar value={100 * state.step.share} aria-label={state.step.text} />
          </div>
          <Group justify="flex-end">
            <Button
              variant="default"
              loading={isCancelling}
              onClick={() => running.current?.abort(new Error("Cancelled"))}
            >
              {t`Cancel`}
            </Button>
          </Group>
        </Stack>
      )}
      {state.phase === "stopped" && (
        <Stack gap="md">
          <Text size="sm">{state.reason}</Text>
          <Text size="sm" c="dimmed">
            {t`Everything sent so far is in the dataset. If you try again, the import continues from there.`}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={handleOpen}>
              {t`Open dataset`}
            </Button>
            <Button onClick={(event) => isRepeatedClick(event) || void run(state.choice)}>{t`Try again`}</Button>
          </Group>
        </Stack>
      )}
      {state.phase === "done" && <ImportedDataset {...state} onOpen={handleOpen} onClose={onClose} />}
    </Modal>
  );
}
