import { t } from "@lingui/core/macro";
import { Button, Group, Modal, Progress as ProgressBar, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { startTour } from "../../../annotator/state/tour";
import { messageOf } from "../../../components/messages/toast";
import { SessionEnded } from "../../../io/http/sessionCalls";
import type { Progress, Step } from "../import/importDataset";
import { createDemo, firstOpenImage } from "./demoDataset";

const drawing = (): Step => ({ text: t`Drawing the images`, share: 0 });

/** Creates the demo dataset while it is mounted, then opens an image of it with the tour of the annotator. */
export function DemoDataset({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const progress = useRef<Progress>({ left: [], refused: [] });
  const [step, setStep] = useState<Step>(drawing);
  const [reason, setReason] = useState<string>();

  const run = useEffectEvent(async (signal: AbortSignal) => {
    setReason(undefined);
    setStep(drawing());
    try {
      await createDemo(progress.current, { client, signal, onStep: (next) => !signal.aborted && setStep(next) });
      const imageId = await firstOpenImage(progress.current.datasetId ?? 0);
      if (signal.aborted) return;
      onClose();
      if (imageId === undefined) return void navigate(`/dataset/${progress.current.datasetId}`);
      startTour();
      void navigate(`/annotate/${imageId}`);
    } catch (error) {
      if (!signal.aborted && !(error instanceof SessionEnded)) setReason(messageOf(error));
    }
  });
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt runs once
  useEffect(() => {
    const controller = new AbortController();
    // Later, because React's strict mode mounts each component twice at once.
    const timer = setTimeout(() => void run(controller.signal));
    return () => {
      clearTimeout(timer);
      controller.abort(new Error("Cancelled"));
    };
  }, [attempt]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t`Creating the demo dataset`}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        {reason === undefined ? (
          <div>
            <Text size="sm" mb={6} role="status">
              {step.text}
            </Text>
            <ProgressBar value={100 * step.share} aria-label={step.text} />
          </div>
        ) : (
          <Text size="sm" role="alert">
            {reason}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          {reason !== undefined && <Button onClick={() => setAttempt(attempt + 1)}>{t`Try again`}</Button>}
        </Group>
      </Stack>
    </Modal>
  );
}
