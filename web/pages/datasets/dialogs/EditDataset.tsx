import { t } from "@lingui/core/macro";
import { Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Category } from "../../../../shared/entities/category";
import { FormModal } from "../../../components/forms/FormModal";
import type { ManagedDataset } from "./managedDataset";

const Form = lazy(async () => ({ default: (await import("./EditDatasetForm")).EditDatasetForm }));

interface Props {
  dataset: ManagedDataset;
  categories: readonly Pick<Category, "id" | "name">[];
  opened: boolean;
  onClose: () => void;
}

/** Dialog for the name, default categories and default annotation metadata. The form is reset each time it opens. */
export function EditDataset({ opened, onClose, ...of }: Props) {
  const { name } = of.dataset;
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Edit ${name}`}>
      <Suspense fallback={<Loader size="sm" />}>
        <Form {...of} opened={opened} onClose={onClose} />
      </Suspense>
    </FormModal>
  );
}
