import { Alert, Tabs } from "@mantine/core";
import { Navigate, useLocation } from "react-router-dom";
import { LoadError } from "../components/LoadError";
import { useInfo, useSession } from "../queries/session";
import { AuthFrame } from "./auth/AuthFrame";
import { RegisterForm } from "./auth/RegisterForm";
import { useWantedPage } from "./auth/useWantedPage";
import { Loading } from "./shell/Loading";
import { PageTitle } from "./shell/PageTitle";

/** A new installation: the first account is made here, and is admin. Where there is one already, one logs in. */
export function SetupPage() {
  const wanted = useWantedPage();
  const { search } = useLocation();
  const { data: session } = useSession();
  const { data: info, isPending, error, refetch } = useInfo();
  if (session) return <Navigate to={wanted} replace />;
  if (isPending) return <Loading />;
  if (!info) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (info.total_users > 0) return <Navigate to={`/auth${search}`} replace />;
  return (
    <AuthFrame name={info.name}>
      <PageTitle>Setup</PageTitle>
      <Tabs defaultValue="register">
        <Tabs.List grow mb="md">
          <Tabs.Tab value="register">Register</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="register">
          <Alert mb="md" p="sm">
            {info.name} has been successfully installed. Please create an admin account.
          </Alert>
          <RegisterForm passwordMin={info.password_min} />
        </Tabs.Panel>
      </Tabs>
    </AuthFrame>
  );
}
