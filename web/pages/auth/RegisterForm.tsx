import { t } from "@lingui/core/macro";
import { Button, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { useRegister } from "../../queries/session";
import { ConfirmField, FullNameField, NewPasswordField, UsernameField } from "./AccountFields";
import { confirmError, passwordError, usernameError } from "./rules";

export function RegisterForm({ passwordMin }: { passwordMin: number }) {
  const register = useRegister();
  const submit = useSubmitOnce(register);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: "", username: "", password: "", confirm: "" },
    validate: { username: usernameError, password: passwordError(passwordMin), confirm: confirmError },
    validateInputOnBlur: ["username", "password"],
  });
  return (
    <form
      onSubmit={form.onSubmit(({ name, username, password }) => submit({ name, username, password }, null, null))}
      noValidate
    >
      <Stack gap="sm">
        <FullNameField autoComplete="name" key={form.key("name")} {...form.getInputProps("name")} />
        <UsernameField withAsterisk key={form.key("username")} {...form.getInputProps("username")} />
        <NewPasswordField
          withAsterisk
          min={passwordMin}
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <ConfirmField withAsterisk key={form.key("confirm")} {...form.getInputProps("confirm")} />
        <Button type="submit" size="sm" mt="xs" loading={register.isPending}>
          {t`Register`}
        </Button>
      </Stack>
    </form>
  );
}
