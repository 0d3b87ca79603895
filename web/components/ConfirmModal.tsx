import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** The verb on the button, e.g. "Delete". */
  confirm: string;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is taken away. The first focus is on "Cancel". */
export function ConfirmModal({ opened, title, children, confirm, isBusy, onConfirm, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="sm">
      <Text size="sm" mb="lg" component="div">
        {children}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={onConfirm} loading={isBusy}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  );
}
