import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { LoadError } from "../../components/messages/LoadError";
import { useImports, useUndoImport } from "../../queries/dataset";
import { ReportTable } from "./ReportTable";

interface Props {
  datasetId: number;
  opened: boolean;
  onClose: () => void;
}

/** Dialog with the report of the newest import, and a button to undo it. */
export function ImportReport({ datasetId, opened, onClose }: Props) {
  const imports = useImports(datasetId, opened);
  /** The import to be undone. Another one may become the newest before the user confirms. */
  const [undoing, setUndoing] = useState<{ id: number; fileName: string }>();
  const isConfirming = undoing !== undefined;
  const undo = useUndoImport(datasetId);
  const submitUndo = useSubmitOnce(undo, opened && isConfirming);
  const failure = imports.state === "loading" ? null : imports.error;
  // During a refresh and after a failed one, the list may not contain the newest import.
  const newest =
    imports.state === "loaded" && !imports.isFetching && !failure
      ? imports.data.reduce((a, b) => (b.id > a.id ? b : a), imports.data[0]!)
      : undefined;
  const fileName = undoing?.fileName;
  const close = () => {
    setUndoing(undefined);
    onClose();
  };
  return (
    <>
      <Modal opened={opened && !isConfirming} onClose={close} title={t`Import of annotations`} size="lg">
        {imports.isFetching && <Loader size="sm" />}
        {failure && !imports.isFetching && <LoadError error={failure} onRetry={() => void imports.retry()} />}
        {newest && (
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {newest.file_name}
            </Text>
            <ReportTable report={newest.report} />
            <Group>
              {newest.state === "complete" && (
                <Button variant="default" onClick={() => setUndoing({ id: newest.id, fileName: newest.file_name })}>
                  {t`Undo import`}
                </Button>
              )}
              <Button onClick={close} ml="auto" data-autofocus>
                {t`Close`}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
      <ConfirmModal
        opened={opened && isConfirming}
        title={t`Undo import`}
        confirm={t`Undo import`}
        isBusy={undo.isPending}
        isSent={undo.isPending}
        onConfirm={() => undoing && submitUndo(undoing.id, close, null)}
        onClose={() => setUndoing(undefined)}
      >
        <Trans>
          Remove everything that <b>{fileName}</b> added? Annotations that were changed after the import are kept.
        </Trans>
      </ConfirmModal>
    </>
  );
}
