import { Button, Group, Modal, MultiSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";

interface Props {
  opened: boolean;
  /** "3 images" */
  images: string;
  categories: { id: number; name: string }[];
  isBusy: boolean;
  onApply: (labels: { add: number[]; remove: number[] }) => void;
  onClose: () => void;
}

/** Asks which category labels pictures get, and which they lose. */
export function BulkLabels({ opened, onClose, images, ...form }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Label ${images}`} size="sm">
      <Form {...form} onClose={onClose} />
    </Modal>
  );
}

function Form({ categories, isBusy, onApply, onClose }: Omit<Props, "opened" | "images">) {
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const data = categories.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply({ add: add.map(Number), remove: remove.map(Number) });
      }}
    >
      <Stack gap="md">
        <MultiSelect
          label="Add labels"
          data={data.filter(({ value }) => !remove.includes(value))}
          value={add}
          onChange={setAdd}
          placeholder={add.length === 0 ? "Add a category" : undefined}
          searchable
          clearable
          data-autofocus
        />
        <MultiSelect
          label="Remove labels"
          data={data.filter(({ value }) => !add.includes(value))}
          value={remove}
          onChange={setRemove}
          placeholder={remove.length === 0 ? "Add a category" : undefined}
          searchable
          clearable
        />
        <Text size="xs" c="dimmed">
          Labels are those of the label mode. Annotations stay as they are, and so do the categories that they have.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={add.length + remove.length === 0}>
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
