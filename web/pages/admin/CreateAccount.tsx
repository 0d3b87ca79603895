import { t } from "@lingui/core/macro";
import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { FormFields } from "../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../components/forms/FormModal";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { showSuccess } from "../../components/messages/toast";
import { useCreateAccount } from "../../queries/accounts";
import { usePasswordMin } from "../../queries/session";
import { FullNameField, NewPasswordField, UsernameField } from "../auth/AccountFields";
import { passwordError, usernameError } from "../auth/rules";

export function CreateAccount({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Create User`}>
      <AccountForm opened={opened} onClose={onClose} />
    </FormModal>
  );
}

/** Confirms an account whose form was closed before the response arrived. */
const showLateSuccess = (username: string) => showSuccess(t`Create User`, t`The account ${username} was created.`);

function AccountForm({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const passwordMin = usePasswordMin();
  const create = useCreateAccount();
  const submit = useSubmitOnce(create, opened);
  const [values, setValues] = useState({ username: "", password: "", name: "", isAdmin: false });
  useFormValues(values);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: values,
    onValuesChange: setValues,
    validate: { username: usernameError, password: passwordError(passwordMin) },
    validateInputOnBlur: ["password"],
  });
  return (
    <form
      onSubmit={form.onSubmit((values) => submit(values, onClose, () => showLateSuccess(values.username)))}
      noValidate
    >
      <Stack gap="sm">
        <FormFields isSent={create.isPending} gap="sm">
          <UsernameField
            withAsterisk
            data-autofocus
            autoComplete="off"
            key={form.key("username")}
            {...form.getInputProps("username")}
          />
          <NewPasswordField
            withAsterisk
            min={passwordMin}
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          <FullNameField key={form.key("name")} {...form.getInputProps("name")} />
          <Checkbox
            label={t`Admin`}
            description={t`Can see every dataset and manage accounts.`}
            key={form.key("isAdmin")}
            {...form.getInputProps("isAdmin", { type: "checkbox" })}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t`Create User`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
