import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Text } from "@mantine/core";
import { useState } from "react";
import type { Account } from "../../../shared/entities/accounts/user";
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
  const { username } = account;
  const [heir, setHeir] = useState("");
  /** Number of datasets that is shown and sent; the server compares it, because the account may own more by now. */
  const [datasets, setDatasets] = useState(account.datasets);
  const remove = useDeleteAccount(account, setDatasets);
  const submit = useSubmitOnce(remove);
  const handleConfirm = () =>
    submit({ heir: heir.trim(), datasets }, onClose, () =>
      showSuccess(t`Delete User`, t`The account ${username} was deleted.`),
    );
  return (
    <ConfirmModal
      opened
      title={t`Delete User`}
      confirm={t`Delete`}
      isBusy={remove.isPending}
      isSent={remove.isPending}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <Trans>
        Are you sure you want to delete <strong>{username}</strong>. This action cannot be undone.
      </Trans>
      {isSelf && (
        <Text size="sm" fw={600} mt="xs">
          {t`This is your own account. You will be logged out immediately and cannot log in again.`}
        </Text>
      )}
      {datasets > 0 && (
        <HeirField
          mt="md"
          label={plural(datasets, { one: "New owner of the dataset", other: "New owner of the # datasets" })}
          description={t`Without a new owner, only admins and members can see the datasets. Admins can hand them over later.`}
          placeholder={t`Nobody`}
          except={account.username}
          value={heir}
          onChange={setHeir}
        />
      )}
    </ConfirmModal>
  );
}
