import { t } from "@lingui/core/macro";
import { Button, Loader, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { showError } from "../../components/messages/toast";
import type { Choice } from "../../offline/copy/records";
import { ChoiceForm } from "./ChoiceForm";
import { CopyStatus } from "./CopyStatus";
import { copyIn, type FoundCopies, useCopies } from "./useCopies";
import { useRemoveCopy } from "./useRemoveCopy";
import type { ShownList } from "./wishes";

interface Props {
  datasetId: number;
  name: string;
  /** The list of images that the dialog was opened from. */
  list?: ShownList | undefined;
  onClose: () => void;
}

/** Dialog to keep a dataset in this browser: asks which images to keep, then shows the progress of the download. */
export function OfflineDialog({ datasetId, name, list, onClose }: Props) {
  const found = useCopies();
  const { remove, question } = useRemoveCopy(found.state === "loaded" ? found.copies : undefined);
  return (
    <>
      <Modal opened onClose={onClose} title={t`Available offline: ${name}`}>
        <Content
          found={found}
          datasetId={datasetId}
          list={list}
          onRemove={() => remove({ datasetId, name })}
          onClose={onClose}
        />
      </Modal>
      {question}
    </>
  );
}

interface ContentProps extends Pick<Props, "datasetId" | "list" | "onClose"> {
  found: FoundCopies;
  onRemove: () => void;
}

function Content({ found, datasetId, list, onRemove, onClose }: ContentProps) {
  const [isChanging, setChanging] = useState(false);
  if (found.state === "loading") return <Loader size="sm" aria-label={t`Loading`} />;
  if (found.state === "unavailable")
    return (
      <Stack gap="md" align="flex-start">
        <Text size="sm">{found.reason}</Text>
        <Button variant="default" onClick={onClose}>
          {t`Close`}
        </Button>
      </Stack>
    );
  const { copies, datasets } = found;
  const copy = copyIn(datasets, datasetId);
  if (copy && !isChanging)
    return <CopyStatus copies={copies} copy={copy} onChange={() => setChanging(true)} onRemove={onRemove} />;
  const handleChoose = async (choice: Choice, signal: AbortSignal) => {
    try {
      await copies.choose(datasetId, choice, signal);
      setChanging(false);
    } catch (error) {
      if (!signal.aborted) showError(error);
    }
  };
  return (
    <ChoiceForm
      datasetId={datasetId}
      copies={copies}
      list={list}
      copy={copy}
      onChoose={handleChoose}
      onCancel={copy ? () => setChanging(false) : onClose}
    />
  );
}
