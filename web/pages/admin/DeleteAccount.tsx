import { Text } from "@mantine/core";
import { useState } from "react";
import type { Account } from "../../../shared/entities/user";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { useDeleteAccount } from "../../queries/accounts";
import { HeirField } from "./HeirField";

interface Props {
  account: Account;
  /** The admin's own. */
  isSelf: boolean;
  onClose: () => void;
}

/** Asks before an account goes, and who shall have its datasets. */
export function DeleteAccount({ account, isSelf, onClose }: Props) {
  const [heir, setHeir] = useState("");
  const remove = useDeleteAccount(account.username);
  const submit = useSubmitOnce(remove);
  const { datasets } = account;
  return (
    <ConfirmModal
      opened
      title="Delete User"
      confirm="Delete"
      isBusy={remove.isPending}
      isSent={remove.isPending}
      onConfirm={() => submit(heir.trim(), onClose)}
      onClose={onClose}
    >
      Are you sure you want to delete <strong>{account.username}</strong>. This action cannot be undone.
      {isSelf && (
        <Text size="sm" fw={600} mt="xs">
          This is your own account: you will be logged out at once and cannot log in again.
        </Text>
      )}
      {datasets > 0 && (
        <HeirField
          mt="md"
          label={`New owner of ${datasets === 1 ? "the dataset" : `the ${datasets} datasets`}`}
          description="Without a new owner, only admins and members see them; admins can hand them over later."
          placeholder="Nobody"
          except={account.username}
          value={heir}
          onChange={setHeir}
        />
      )}
    </ConfirmModal>
  );
}
