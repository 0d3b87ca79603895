import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useLogin } from "../../queries/session";
import { requiredError, usernameError } from "./rules";

export function LoginForm() {
  const login = useLogin();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { username: "", password: "" },
    validate: { username: usernameError, password: requiredError },
  });
  return (
    <form onSubmit={form.onSubmit((values) => login.mutate(values))} noValidate>
      <Stack gap="sm">
        <TextInput
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          data-autofocus
          autoFocus
          key={form.key("username")}
          {...form.getInputProps("username")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Button type="submit" size="sm" mt="xs" loading={login.isPending}>
          Login
        </Button>
      </Stack>
    </form>
  );
}
