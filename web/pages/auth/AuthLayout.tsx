import { Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import type { getInfo } from "../../../shared/api/info";
import type { OutputOf } from "../../../shared/api/protocol/call";
import { LoadError } from "../../components/messages/LoadError";
import { useInfo, useSessionQuery } from "../../queries/session";
import { Loading } from "../common/Loading";
import { PageTitle } from "../common/PageTitle";
import classes from "./AuthPage.module.css";
import { UnsentEdits } from "./UnsentEdits";
import { useRedirectTarget } from "./useRedirectTarget";

type Info = OutputOf<typeof getInfo>;

interface Props {
  title: string;
  /** Another page is the right one, with the same wanted page. */
  elsewhere: (info: Info) => string | undefined;
  children: (info: Info) => ReactNode;
}

/**
 * By which one gets in: no navigation bar, the installation's name, what it is for, and forms. Whoever is logged in
 * goes on to the page that was wanted.
 */
export function AuthLayout({ title, elsewhere, children }: Props) {
  const wanted = useRedirectTarget();
  const { search } = useLocation();
  const session = useSessionQuery();
  const answer = useInfo();
  // Until it is known who is here, or where that cannot be known, one may log in.
  if (session.state === "loaded" && session.data) return <Navigate to={wanted} replace />;
  if (answer.state === "loading") return <Loading />;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={() => void answer.retry()} />;
  const { data: info } = answer;
  const right = elsewhere(info);
  if (right) return <Navigate to={`${right}${search}`} replace />;
  return (
    <main className={classes.page}>
      <PageTitle>{title}</PageTitle>
      <Stack gap="lg" w="100%" maw={400}>
        <Stack gap={4} ta="center" align="center">
          <img src="./icon.svg" width={56} height={56} alt="" />
          <Title order={1}>{info.name}</Title>
          <Text size="sm" c="dimmed">
            Efficient image labelling for image localization and object detection.
          </Text>
        </Stack>
        <Paper withBorder p="lg" radius="md">
          {children(info)}
        </Paper>
        <UnsentEdits />
      </Stack>
    </main>
  );
}
