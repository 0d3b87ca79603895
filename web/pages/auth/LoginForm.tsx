import { t } from "@lingui/core/macro";
import { Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { useLogin } from "../../queries/session";
import { UsernameField } from "./AccountFields";
import { requiredError, usernameError } from "./rules";

export function LoginForm() {
  const login = useLogin();
  const submit = useSubmitOnce(login);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { username: "", password: "" },
    validate: { username: usernameError, password: requiredError },
  });
  return (
    <form onSubmit={form.onSubmit((values) => submit(values, null, null))} noValidate>
      <Stack gap="sm">
        <UsernameField autoFocus key={form.key("username")} {...form.getInputProps("username")} />
        <PasswordInput
          label={t`Password`}
          autoComplete="current-password"
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Button type="submit" size="sm" mt="xs" loading={login.isPending}>
          {t`Login`}
        </Button>
      </Stack>
    </form>
  );
}
