import { t } from "@lingui/core/macro";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";

interface Props {
  /** Sentences about what a logout would lose; nothing is asked if empty. */
  warnings: readonly string[];
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a logout that loses unsent work. */
export function LogoutQuestion({ warnings, onConfirm, onClose }: Props) {
  return (
    <ConfirmModal
      opened={warnings.length > 0}
      title={t`Log out?`}
      confirm={t`Log out and discard`}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </ConfirmModal>
  );
}
