import { t } from "@lingui/core/macro";
import { Button, Checkbox, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { FormFields } from "../../components/forms/FormFields";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { showSuccess } from "../../components/messages/toast";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { ConfirmField, NewPasswordField } from "../auth/AccountFields";
import { confirmError, passwordError, requiredError } from "../auth/rules";
import { useChangePassword } from "./useChangePassword";

/**
 * Form to change the user's own password. If the server refuses the change, a toast shows why and the form is not
 * reset.
 */
export function PasswordForm({ username, passwordMin }: { username: string; passwordMin: number }) {
  const change = useChangePassword();
  const submit = useSubmitOnce(change);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { password: "", newPassword: "", confirm: "", endTokens: false },
    validate: {
      password: requiredError,
      newPassword: passwordError(passwordMin),
      confirm: (value, { newPassword }) => confirmError(value, { password: newPassword }),
    },
  });
  const showChanged = () => showSuccess(t`Changing Password`, t`Password has been changed`);
  const handleSubmit = form.onSubmit((values) => {
    const handleChanged = () => {
      form.reset();
      showChanged();
      return false;
    };
    submit(values, handleChanged, showChanged);
  });
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="sm" maw={400}>
        <FormFields isSent={change.isPending} gap="sm">
          {/* Tells password managers which account the password belongs to. */}
          <input type="text" autoComplete="username" value={username} readOnly hidden />
          <PasswordInput
            label={t`Current Password`}
            autoComplete="current-password"
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          <NewPasswordField
            label={t`New Password`}
            min={passwordMin}
            key={form.key("newPassword")}
            {...form.getInputProps("newPassword")}
          />
          <ConfirmField label={t`Confirm New Password`} key={form.key("confirm")} {...form.getInputProps("confirm")} />
          <Checkbox
            label={t`Also revoke all my API tokens`}
            description={t`Other browsers are logged out in any case.`}
            key={form.key("endTokens")}
            {...form.getInputProps("endTokens", { type: "checkbox" })}
          />
        </FormFields>
        <NeedsServer>
          <Button type="submit" mt="xs" loading={change.isPending} style={{ alignSelf: "flex-start" }}>
            {t`Change Password`}
          </Button>
        </NeedsServer>
      </Stack>
    </form>
  );
}
