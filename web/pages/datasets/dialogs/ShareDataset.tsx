import { t } from "@lingui/core/macro";
import { Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import { FormModal } from "../../../components/forms/FormModal";
import type { ManagedDataset } from "./managedDataset";

const Form = lazy(async () => ({ default: (await import("./ShareDatasetForm")).ShareDatasetForm }));

interface Props {
  dataset: ManagedDataset;
  opened: boolean;
  onClose: () => void;
}

/** Dialog to share a dataset with other users, by username. */
export function ShareDataset({ dataset, opened, onClose }: Props) {
  const { name } = dataset;
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Share ${name}`}>
      <Suspense fallback={<Loader size="sm" />}>
        <Form dataset={dataset} opened={opened} onClose={onClose} />
      </Suspense>
    </FormModal>
  );
}
