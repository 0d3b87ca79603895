import { Loader, Modal } from "@mantine/core";
import { lazy, Suspense } from "react";

const Steps = lazy(async () => ({ default: (await import("./HelpSteps")).HelpSteps }));

export function DatasetsHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Datasets in three steps">
      <Suspense fallback={<Loader size="sm" />}>
        <Steps />
      </Suspense>
    </Modal>
  );
}
