import { t } from "@lingui/core/macro";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../components/forms/FormModal";
import { CategoriesField } from "../../../components/tags/CategoriesField";

interface Props {
  opened: boolean;
  /** For the title, e.g. "3 images". */
  images: string;
  categories: { id: number; name: string }[];
  isBusy: boolean;
  onApply: (labels: { add: number[]; remove: number[] }) => void;
  onClose: () => void;
}

/** Dialog that asks which category labels to add to images, and which to remove. */
export function BulkLabels({ opened, onClose, images, ...form }: Props) {
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Label ${images}`} size="sm">
      <Form {...form} onClose={onClose} />
    </FormModal>
  );
}

function Form({ categories, isBusy, onApply, onClose }: Omit<Props, "opened" | "images">) {
  const [add, setAdd] = useState<number[]>([]);
  const [remove, setRemove] = useState<number[]>([]);
  useFormValues({ add, remove });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply({ add, remove });
      }}
    >
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <CategoriesField
            label={t`Add labels`}
            categories={categories.filter(({ id }) => !remove.includes(id))}
            value={add}
            onChange={setAdd}
            data-autofocus
          />
          <CategoriesField
            label={t`Remove labels`}
            categories={categories.filter(({ id }) => !add.includes(id))}
            value={remove}
            onChange={setRemove}
          />
          <Text size="xs" c="dimmed">
            {t`These are the labels set in label mode. Annotations and their categories do not change.`}
          </Text>
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isBusy} disabled={add.length + remove.length === 0}>
            {t`Apply`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
