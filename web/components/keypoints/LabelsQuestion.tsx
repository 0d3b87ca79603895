import { t } from "@lingui/core/macro";
import { Button, Group, List, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** The question, with the number of affected annotations or keypoints. */
  children: ReactNode;
  /** The labels to be removed, one line each. */
  labels: readonly { id: number; text: string }[];
  /** True once the removal is sent and can no longer be cancelled. */
  isBusy: boolean;
  onCancel: () => void;
  onRemove: () => void;
}

/** Asks before removing labels that may have keypoints. Replaces the form inside the category dialog. */
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
        <Button variant="default" autoFocus disabled={isBusy} onClick={onCancel}>
          {t`Cancel`}
        </Button>
        <Button color="red" loading={isBusy} onClick={onRemove}>
          {t`Remove`}
        </Button>
      </Group>
    </Stack>
  );
}
