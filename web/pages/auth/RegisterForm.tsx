import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRegister } from "../../queries/session";
import { confirmError, passwordError, usernameError } from "./rules";

export function RegisterForm({ passwordMin }: { passwordMin: number }) {
  const register = useRegister();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: "", username: "", password: "", confirm: "" },
    validate: { username: usernameError, password: passwordError(passwordMin), confirm: confirmError },
    validateInputOnBlur: ["username", "password"],
  });
  return (
    <form
      onSubmit={form.onSubmit(({ name, username, password }) => register.mutate({ name, username, password }))}
      noValidate
    >
      <Stack gap="sm">
        <TextInput label="Full Name" autoComplete="name" key={form.key("name")} {...form.getInputProps("name")} />
        <TextInput
          label="Username"
          withAsterisk
          autoComplete="username"
          autoCapitalize="none"
          key={form.key("username")}
          {...form.getInputProps("username")}
        />
        <PasswordInput
          label="Password"
          withAsterisk
          description={`Minimum length of ${passwordMin} characters.`}
          autoComplete="new-password"
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <PasswordInput
          label="Confirm Password"
          withAsterisk
          autoComplete="new-password"
          key={form.key("confirm")}
          {...form.getInputProps("confirm")}
        />
        <Button type="submit" size="sm" mt="xs" loading={register.isPending}>
          Register
        </Button>
      </Stack>
    </form>
  );
}
