import { t } from "@lingui/core/macro";
import { Tabs, Text } from "@mantine/core";
import { AuthLayout } from "./AuthLayout";
import { LoginForm } from "./LoginForm";
import { RegisterForm } from "./RegisterForm";

/** Login and registration. Without any account, redirects to the setup. */
export function AuthPage() {
  return (
    <AuthLayout title={t`Login`} redirectTo={({ total_users }) => (total_users === 0 ? "/setup" : undefined)}>
      {({ allow_registration, password_min }) => (
        <Tabs defaultValue="login" keepMounted={false}>
          <Tabs.List grow mb="md">
            <Tabs.Tab value="login">{t`Login`}</Tabs.Tab>
            <Tabs.Tab value="register">{t`Register`}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="login">
            <LoginForm />
          </Tabs.Panel>
          <Tabs.Panel value="register">
            {allow_registration ? (
              <RegisterForm passwordMin={password_min} />
            ) : (
              <Text size="sm">{t`You are not allowed to register new accounts`}</Text>
            )}
          </Tabs.Panel>
        </Tabs>
      )}
    </AuthLayout>
  );
}
