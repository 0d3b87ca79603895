import { t } from "@lingui/core/macro";
import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** The verb on the button, e.g. "Delete". */
  confirm: string;
  /** Text of the button that cancels. */
  cancel?: string;
  isBusy?: boolean;
  /** True once the command is sent and cannot be stopped: the dialog stays open until the response arrives. */
  isSent?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a destructive action. "Cancel" has the initial focus. */
export function ConfirmModal({ opened, title, children, confirm, isBusy, isSent = false, ...props }: Props) {
  const { cancel = t`Cancel`, onConfirm, onClose } = props;
  const handleClose = () => {
    if (!isSent) onClose();
  };
  return (
    <Modal opened={opened} onClose={handleClose} title={title} size="sm">
      <Text size="sm" mb="lg" component="div">
        {children}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={handleClose} disabled={isSent} data-autofocus>
          {cancel}
        </Button>
        <Button color="red" onClick={onConfirm} loading={isBusy}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  );
}
