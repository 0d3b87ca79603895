import { Alert, Paper, Stack, Tabs, Text, Title } from "@mantine/core";
import { Navigate, useSearchParams } from "react-router-dom";
import { LoadError } from "../components/LoadError";
import { safePath } from "../io/safePath";
import { useInfo, useSession } from "../queries/session";
import classes from "./AuthPage.module.css";
import { LoginForm } from "./auth/LoginForm";
import { RegisterForm } from "./auth/RegisterForm";
import { Loading } from "./shell/Loading";
import { PageTitle } from "./shell/PageTitle";

/** Log in or register; whoever is logged in goes on to the page that was wanted. */
export function AuthPage() {
  const [search] = useSearchParams();
  const { data: session } = useSession();
  const { data: info, isPending, error, refetch } = useInfo();
  if (session) return <Navigate to={safePath(search.get("redirect")) ?? "/datasets"} replace />;
  if (isPending) return <Loading />;
  if (!info) return <LoadError error={error} onRetry={() => void refetch()} />;

  const isFirst = info.total_users === 0;
  return (
    <main className={classes.page}>
      <PageTitle>Login</PageTitle>
      <Stack gap="lg" w="100%" maw={400}>
        <Stack gap={4} ta="center" align="center">
          <img src="./icon.svg" width={56} height={56} alt="" />
          <Title order={1}>{info.name}</Title>
          <Text size="sm" c="dimmed">
            Efficient image labelling for image localization and object detection.
          </Text>
        </Stack>
        <Paper withBorder p="lg" radius="md">
          <Tabs key={String(isFirst)} defaultValue={isFirst ? "register" : "login"} keepMounted={false}>
            <Tabs.List grow mb="md">
              {!isFirst && <Tabs.Tab value="login">Login</Tabs.Tab>}
              <Tabs.Tab value="register">Register</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="login">
              <LoginForm />
            </Tabs.Panel>
            <Tabs.Panel value="register">
              {isFirst && (
                <Alert mb="md" p="sm">
                  {info.name} has been successfully installed. Please create an admin account.
                </Alert>
              )}
              {isFirst || info.allow_registration ? (
                <RegisterForm passwordMin={info.password_min} />
              ) : (
                <Text size="sm">You are not allowed to register new accounts</Text>
              )}
            </Tabs.Panel>
          </Tabs>
        </Paper>
      </Stack>
    </main>
  );
}
