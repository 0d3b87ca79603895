import { Text } from "@mantine/core";
import { useState } from "react";
import type { Account } from "../../../shared/entities/user";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { showSuccess } from "../../components/messages/toast";
import { useDeleteAccount } from "../../queries/accounts";
import { HeirField } from "./HeirField";

interface Props {
  account: Account;
  /** True if this is the admin's own account. */
  isSelf: boolean;
  onClose: () => void;
}

/** Confirms the deletion of an account, and asks for the new owner of its datasets. */
export function DeleteAccount({ account, isSelf, onClose }: Props) {
  const [heir, setHeir] = useState("");
  /** Number of datasets that is shown and sent; the server compares it, because the account may own more by now. */
  const [datasets, setDatasets] = useState(account.datasets);
  const remove = useDeleteAccount(account.username, setDatasets);
  const submit = useSubmitOnce(remove);
  const handleConfirm = () =>
    submit({ heir: heir.trim(), datasets }, onClose, () =>
      showSuccess("Delete User", `The account ${account.username} was deleted.`),
    );
  return (
    <ConfirmModal
      opened
      title="Delete User"
      confirm="Delete"
      isBusy={remove.isPending}
      isSent={remove.isPending}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      Are you sure you want to delete <strong>{account.username}</strong>. This action cannot be undone.
      {isSelf && (
        <Text size="sm" fw={600} mt="xs">
          This is your own account. You will be logged out immediately and cannot log in again.
        </Text>
      )}
      {datasets > 0 && (
        <HeirField
          mt="md"
          label={`New owner of ${datasets === 1 ? "the dataset" : `the ${datasets} datasets`}`}
          description="Without a new owner, only admins and members can see the datasets. Admins can hand them over later."
          placeholder="Nobody"
          except={account.username}
          value={heir}
          onChange={setHeir}
        />
      )}
    </ConfirmModal>
  );
}
