import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Tabs } from "@mantine/core";
import { AuthLayout } from "./AuthLayout";
import { RegisterForm } from "./RegisterForm";

/** Setup of a new installation: creates the first account, an admin. Redirects to the login if an account exists. */
export function SetupPage() {
  return (
    <AuthLayout title={t`Setup`} redirectTo={({ total_users }) => (total_users > 0 ? "/auth" : undefined)}>
      {({ name, password_min }) => (
        <Tabs defaultValue="register">
          <Tabs.List grow mb="md">
            <Tabs.Tab value="register">{t`Register`}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="register">
            <Alert mb="md" p="sm">
              <Trans>{name} has been successfully installed. Please create an admin account.</Trans>
            </Alert>
            <RegisterForm passwordMin={password_min} />
          </Tabs.Panel>
        </Tabs>
      )}
    </AuthLayout>
  );
}
