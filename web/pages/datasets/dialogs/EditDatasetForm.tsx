import { t } from "@lingui/core/macro";
import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { same } from "../../../../shared/edits/same";
import type { Category } from "../../../../shared/entities/category";
import { metadataOf, metadataProblems, metadataRows } from "../../../../shared/rules/metadataValue";
import { FormFields } from "../../../components/forms/FormFields";
import { useFormValues } from "../../../components/forms/FormModal";
import { MetadataFields } from "../../../components/forms/MetadataFields";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { showSuccess } from "../../../components/messages/toast";
import { TagField } from "../../../components/tags/TagField";
import { useCategoryNames } from "../../../queries/categories";
import { type EditableDataset, useUpdateDataset } from "../../../queries/datasets";
import type { ManagedDataset } from "./managedDataset";
import { NameField, nameError } from "./NameField";
import { newCategoryText } from "./newCategoryText";

interface Props {
  dataset: ManagedDataset;
  /** The default categories; several may have the same name. */
  categories: readonly Pick<Category, "id" | "name">[];
  opened: boolean;
  onClose: () => void;
}

export function EditDatasetForm({ dataset, categories, opened, onClose }: Props) {
  const [listed] = useState(categories);
  const [before] = useState<EditableDataset>(() => ({
    name: dataset.name,
    categories: [...new Set(listed.map((category) => category.name))],
    metadata: dataset.default_annotation_metadata,
  }));
  const [name, setName] = useState(before.name);
  const [names, setNames] = useState(before.categories);
  const [rows, setRows] = useState(() => metadataRows(before.metadata));
  const known = useCategoryNames();
  useFormValues({ name, names, rows });
  const update = useUpdateDataset(dataset.id, listed);
  const submit = useSubmitOnce(update, opened);
  const isValid = metadataProblems(rows).size === 0 && !nameError(name);
  const handleSubmit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isValid || !event.currentTarget.checkValidity()) return;
    const { name: oldName } = dataset;
    const after = { name: name.trim(), categories: names, metadata: metadataOf(rows) };
    if (same(before, after)) return onClose();
    submit({ before, after }, onClose, () => showSuccess(t`Edit ${oldName}`, t`The dataset was changed.`));
  };
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="md">
        <FormFields isSent={update.isPending} gap="md">
          {dataset.permissions.manage && (
            <NameField value={name} onChange={setName} description={t`The image folder keeps its name.`} isChecked />
          )}
          <TagField
            label={t`Default Categories`}
            value={names}
            onChange={setNames}
            suggestions={known}
            placeholder={t`Add a category`}
            creates={newCategoryText}
          />
          <MetadataFields
            label={t`Default Annotation Metadata`}
            description={t`New annotations start with these entries.`}
            rows={rows}
            onChange={setRows}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" disabled={!isValid} loading={update.isPending}>
            {t`Save`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
