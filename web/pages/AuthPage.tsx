import { Tabs, Text } from "@mantine/core";
import { Navigate, useLocation } from "react-router-dom";
import { LoadError } from "../components/LoadError";
import { useInfo, useSession } from "../queries/session";
import { AuthFrame } from "./auth/AuthFrame";
import { LoginForm } from "./auth/LoginForm";
import { RegisterForm } from "./auth/RegisterForm";
import { useWantedPage } from "./auth/useWantedPage";
import { Loading } from "./shell/Loading";
import { PageTitle } from "./shell/PageTitle";

/** Log in or register; whoever is logged in goes on to the page that was wanted. Without any account: the setup. */
export function AuthPage() {
  const wanted = useWantedPage();
  const { search } = useLocation();
  const { data: session } = useSession();
  const { data: info, isPending, error, refetch } = useInfo();
  if (session) return <Navigate to={wanted} replace />;
  if (isPending) return <Loading />;
  if (!info) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (info.total_users === 0) return <Navigate to={`/setup${search}`} replace />;
  return (
    <AuthFrame name={info.name}>
      <PageTitle>Login</PageTitle>
      <Tabs defaultValue="login" keepMounted={false}>
        <Tabs.List grow mb="md">
          <Tabs.Tab value="login">Login</Tabs.Tab>
          <Tabs.Tab value="register">Register</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="login">
          <LoginForm />
        </Tabs.Panel>
        <Tabs.Panel value="register">
          {info.allow_registration ? (
            <RegisterForm passwordMin={info.password_min} />
          ) : (
            <Text size="sm">You are not allowed to register new accounts</Text>
          )}
        </Tabs.Panel>
      </Tabs>
    </AuthFrame>
  );
}
