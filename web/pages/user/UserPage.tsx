import { t } from "@lingui/core/macro";
import { Text, Title } from "@mantine/core";
import { ownerOf, useInfo, usePasswordMin, useSession } from "../../queries/session";
import { PageTitle } from "../common/PageTitle";
import { ApiTokens } from "./ApiTokens";
import { OfflineSettings } from "./OfflineSettings";
import { PasswordForm } from "./PasswordForm";
import { Preferences } from "./Preferences";
import classes from "./UserPage.module.css";

/** The user's own preferences, and the password and API tokens unless login is disabled. */
export function UserPage() {
  const session = useSession();
  const info = useInfo();
  const passwordMin = usePasswordMin();
  const { user } = session;
  const { username } = user;
  const name = user.name || username;
  const hasAccount = !user.anonymous && (info.state !== "loaded" || info.data.login_enabled);
  return (
    <div className={classes.page}>
      <PageTitle>{t`User`}</PageTitle>
      <Title order={1}>{t`Hello, ${name}`}</Title>
      {!hasAccount && (
        <Text size="sm" c="dimmed" mt="xs">
          {t`Login is disabled on this server. Everyone works as ${username}, and there is no account to set up.`}
        </Text>
      )}
      <section className={classes.section} aria-labelledby="preferences">
        <Title order={2} id="preferences" mb="xs">
          {t`Preferences`}
        </Title>
        <Preferences owner={ownerOf(session)} />
      </section>
      {hasAccount && (
        <>
          <section className={classes.section} aria-labelledby="password">
            <Title order={2} id="password" mb="sm">
              {t`Change Password`}
            </Title>
            <PasswordForm username={user.username} passwordMin={passwordMin} />
          </section>
          <section className={classes.section} aria-labelledby="tokens">
            <Title order={2} id="tokens" mb="xs">
              {t`API Tokens`}
            </Title>
            <ApiTokens />
          </section>
        </>
      )}
      <section className={classes.section} aria-labelledby="offline">
        <Title order={2} id="offline" mb="xs">
          {t`Offline`}
        </Title>
        <OfflineSettings />
      </section>
    </div>
  );
}
