import { t } from "@lingui/core/macro";
import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import type { getInfo } from "../../../shared/api/info";
import type { OutputOf } from "../../../shared/api/protocol/call";
import { LanguageSelect } from "../../components/language/LanguageSelect";
import { LoadError } from "../../components/messages/LoadError";
import { useInfo, useSessionQuery } from "../../queries/session";
import { FirstPage } from "../common/FirstPage";
import { Loading } from "../common/Loading";
import { PageTitle } from "../common/PageTitle";
import classes from "./AuthPage.module.css";
import { UnsentEdits } from "./UnsentEdits";
import { useRedirectTarget } from "./useRedirectTarget";

type Info = OutputOf<typeof getInfo>;

interface Props {
  title: string;
  /** Returns the path of another login page if that page applies, e.g. the setup while there are no users. */
  redirectTo: (info: Info) => string | undefined;
  children: (info: Info) => ReactNode;
}

/**
 * Layout of the login and setup pages: the installation's name, its purpose, and a form, without navigation bar.
 * Sends a user who is already logged in on to the requested page.
 */
export function AuthLayout({ title, redirectTo, children }: Props) {
  const target = useRedirectTarget();
  const { search } = useLocation();
  const session = useSessionQuery();
  const query = useInfo();
  // While the session is loading or could not be loaded, the form is shown.
  if (session.state === "loaded" && session.data) return <Navigate to={target} replace />;
  if (query.state === "loading") return <Loading />;
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { data: info } = query;
  const other = redirectTo(info);
  if (other) return <Navigate to={`${other}${search}`} replace />;
  return (
    <main className={classes.page}>
      <PageTitle>{title}</PageTitle>
      <Stack gap="lg" w="100%" maw={400}>
        <Stack gap={4} ta="center" align="center">
          <img src="./icon.svg" width={56} height={56} alt="" />
          <Title order={1}>{info.name}</Title>
          <Text size="sm" c="dimmed">
            {t`Efficient image labelling for image localization and object detection.`}
          </Text>
        </Stack>
        <Paper withBorder p="lg" radius="md">
          {children(info)}
        </Paper>
        <UnsentEdits />
        <Group justify="center">
          <LanguageSelect />
        </Group>
      </Stack>
      <FirstPage />
    </main>
  );
}
