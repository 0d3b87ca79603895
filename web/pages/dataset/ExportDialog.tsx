import { Button, Checkbox, Group, Modal, MultiSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { useExport } from "../../queries/dataset";

interface Props {
  datasetId: number;
  name: string;
  categories: { id: number; name: string }[];
  opened: boolean;
  onClose: () => void;
}

export function ExportDialog({ datasetId, name, categories, opened, onClose }: Props) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [withEmptyImages, setWithEmptyImages] = useState(false);
  const start = useExport(datasetId);
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    start.mutate({ categories: chosen.map(Number), withEmptyImages }, { onSuccess: onClose });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Export ${name}`}>
      <form onSubmit={handleSubmit}>
        <Stack gap="md">
          <MultiSelect
            label="Categories"
            description="Empty exports all categories"
            data={categories.map((category) => ({ value: String(category.id), label: category.name }))}
            value={chosen}
            onChange={setChosen}
            placeholder={chosen.length === 0 ? "Add a category" : undefined}
            searchable
            clearable
          />
          <Checkbox
            label="Export with not annotated images"
            checked={withEmptyImages}
            onChange={(event) => setWithEmptyImages(event.currentTarget.checked)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={start.isPending}>
              Export
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
