import { Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ConfirmModal } from "../../components/ConfirmModal";
import { LoadError } from "../../components/LoadError";
import { useImports, useUndoImport } from "../../queries/dataset";
import { ReportTable } from "./ReportTable";

interface Props {
  datasetId: number;
  opened: boolean;
  onClose: () => void;
}

/** What the newest import has done, and the way to take it back. */
export function ImportReport({ datasetId, opened, onClose }: Props) {
  const { data, error, isFetching, refetch } = useImports(datasetId, opened);
  const [isAsking, setAsking] = useState(false);
  const undo = useUndoImport(datasetId);
  const newest = data?.reduce((a, b) => (b.id > a.id ? b : a), data[0]!);
  const close = () => {
    setAsking(false);
    onClose();
  };
  return (
    <>
      <Modal opened={opened && !isAsking} onClose={close} title="Import of annotations" size="lg">
        {isFetching && !newest && <Loader size="sm" />}
        {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
        {newest && (
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {newest.file_name}
            </Text>
            <ReportTable report={newest.report} />
            <Group>
              {newest.state === "complete" && (
                <Button variant="default" onClick={() => setAsking(true)}>
                  Undo import
                </Button>
              )}
              <Button onClick={close} ml="auto" data-autofocus>
                Close
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
      <ConfirmModal
        opened={opened && isAsking}
        title="Undo import"
        confirm="Undo import"
        isBusy={undo.isPending}
        onConfirm={() => newest && undo.mutate(newest.id, { onSuccess: close })}
        onClose={() => setAsking(false)}
      >
        Take back everything that <b>{newest?.file_name}</b> has brought? What was changed by hand since stays.
      </ConfirmModal>
    </>
  );
}
