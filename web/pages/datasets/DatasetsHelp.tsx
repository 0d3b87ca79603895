import { t } from "@lingui/core/macro";
import { Button, Group, Loader, Modal } from "@mantine/core";
import { lazy, Suspense } from "react";
import { NeedsServer } from "../../components/offline/NeedsServer";

const Steps = lazy(async () => ({ default: (await import("./HelpSteps")).HelpSteps }));

interface Props {
  opened: boolean;
  onClose: () => void;
  onDemo: () => void;
}

export function DatasetsHelp({ opened, onClose, onDemo }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Datasets in three steps`}>
      <Suspense fallback={<Loader size="sm" />}>
        <Steps />
      </Suspense>
      <Group justify="flex-end" mt="md">
        <NeedsServer>
          <Button variant="default" onClick={onDemo}>
            {t`Try it with a demo`}
          </Button>
        </NeedsServer>
      </Group>
    </Modal>
  );
}
