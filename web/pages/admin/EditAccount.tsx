import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Anchor, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { Link } from "react-router-dom";
import { changedFields } from "../../../shared/edits/changedFields";
import type { Account } from "../../../shared/entities/accounts/user";
import { FormFields } from "../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../components/forms/FormModal";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { showSuccess } from "../../components/messages/toast";
import { useUpdateAccount } from "../../queries/accounts";
import { usePasswordMin } from "../../queries/session";
import { FullNameField, NewPasswordField } from "../auth/AccountFields";
import { passwordError, requiredError } from "../auth/rules";

interface Props {
  account: Account;
  isSelf: boolean;
  onClose: () => void;
}

/**
 * Dialog to change an account's name and rights, and to reset a lost password. Admins change their own password on
 * the user page, where the old one is required.
 */
export function EditAccount(props: Props) {
  const { username } = props.account;
  return (
    <FormModal opened onClose={props.onClose} title={t`Edit ${username}`}>
      <AccountForm {...props} />
    </FormModal>
  );
}

function AccountForm({ account, isSelf, onClose }: Props) {
  const { username } = account;
  const passwordMin = usePasswordMin();
  const update = useUpdateAccount(account);
  const submit = useSubmitOnce(update);
  const [before] = useState({ name: account.name, password: "", isAdmin: account.is_admin });
  const [values, setValues] = useState(before);
  useFormValues(values);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: before,
    onValuesChange: setValues,
    validate: {
      // As in COCO Annotator, the server leaves the name as it is if the new one is empty.
      name: (value) => (before.name === "" ? null : requiredError(value.trim())),
      password: (value) => (value === "" ? null : passwordError(passwordMin)(value)),
    },
  });
  const handleSubmit = (after: typeof before) => {
    const changed = changedFields(before, after);
    if (Object.keys(changed).length === 0) return onClose();
    submit(changed, onClose, () => showSuccess(t`Edit User`, t`${username} was changed.`));
  };
  return (
    <form onSubmit={form.onSubmit(handleSubmit)} noValidate>
      <Stack gap="sm">
        <FormFields isSent={update.isPending} gap="sm">
          <FullNameField
            data-autofocus
            withAsterisk={before.name !== ""}
            key={form.key("name")}
            {...form.getInputProps("name")}
          />
          <Checkbox
            label={t`Admin`}
            key={form.key("isAdmin")}
            {...form.getInputProps("isAdmin", { type: "checkbox" })}
          />
          {isSelf ? (
            <Text size="sm" c="dimmed">
              <Trans>
                You can change your own password on the{" "}
                <Anchor component={Link} to="/user" underline="always" inherit>
                  user page
                </Anchor>
                .
              </Trans>
            </Text>
          ) : (
            <NewPasswordField
              label={t`New Password`}
              min={passwordMin}
              description={t`Leave blank to keep the current password. A new password ends the account's logins and revokes its API tokens.`}
              key={form.key("password")}
              {...form.getInputProps("password")}
            />
          )}
        </FormFields>
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={update.isPending}>
            {t`Save`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
