import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { Category } from "../../../shared/entities/category";
import type { DatasetCard } from "../../../shared/entities/dataset";
import { metadataOf, metadataProblems, metadataRows } from "../../../shared/rules/metadataValue";
import { MetadataFields } from "../../components/MetadataFields";
import { TagField } from "../../components/TagField";
import { useAllCategories } from "../../queries/categories";
import { useUpdateDataset } from "../../queries/datasets";

interface Props {
  dataset: DatasetCard;
  categories: Category[];
  onClose: () => void;
}

export function EditDatasetForm({ dataset, categories, onClose }: Props) {
  const [names, setNames] = useState(() => categories.map((category) => category.name));
  const [rows, setRows] = useState(() => metadataRows(dataset.default_annotation_metadata));
  const { data: all = [] } = useAllCategories();
  const update = useUpdateDataset(dataset.id);
  const isValid = metadataProblems(rows).size === 0;
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (!isValid) return;
    update.mutate({ categories: names, default_annotation_metadata: metadataOf(rows) }, { onSuccess: onClose });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <TagField
          label="Default Categories"
          value={names}
          onChange={setNames}
          suggestions={all.map((category) => category.name)}
          placeholder="Add a category"
        />
        <MetadataFields
          label="Default Annotation Metadata"
          description="New annotations start with these entries."
          rows={rows}
          onChange={setRows}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isValid} loading={update.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
