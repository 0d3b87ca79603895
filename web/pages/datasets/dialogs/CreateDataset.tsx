import { t } from "@lingui/core/macro";
import { Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import { FormModal } from "../../../components/forms/FormModal";

const Form = lazy(async () => ({ default: (await import("./CreateDatasetForm")).CreateDatasetForm }));

/** Dialog to create a dataset. Opens it afterwards, because the next step is to add images. */
export function CreateDataset({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Creating a Dataset`}>
      <Suspense fallback={<Loader size="sm" />}>
        <Form opened={opened} onClose={onClose} />
      </Suspense>
    </FormModal>
  );
}
