import { Button, Group, List, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** The question, with the counts of the labels' points. */
  children: ReactNode;
  /** A line each. */
  labels: readonly { id: number; text: string }[];
  isBusy: boolean;
  onCancel: () => void;
  onRemove: () => void;
}

/** Asks before labels go that may have points. Stands in the dialog of the category, in place of its form. */
export function LabelsQuestion({ children, labels, isBusy, onCancel, onRemove }: Props) {
  return (
    <Stack gap="sm">
      <Text size="sm">{children}</Text>
      <List size="sm">
        {labels.map(({ id, text }) => (
          <List.Item key={id}>{text}</List.Item>
        ))}
      </List>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" autoFocus onClick={onCancel}>
          Cancel
        </Button>
        <Button color="red" loading={isBusy} onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </Stack>
  );
}
