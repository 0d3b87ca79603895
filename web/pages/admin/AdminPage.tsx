import { t } from "@lingui/core/macro";
import { Lock } from "lucide-react";
import { EmptyState } from "../../components/lists/EmptyState";
import { useSession } from "../../queries/session";
import { PageTitle } from "../common/PageTitle";
import { Accounts } from "./Accounts";
import classes from "./AdminPage.module.css";
import { Orphans } from "./Orphans";

/** User accounts, for admins. Other users see "Access denied"; the server refuses their requests anyway. */
export function AdminPage() {
  const { user } = useSession();
  return (
    <div className={classes.page}>
      <PageTitle>{t`Users`}</PageTitle>
      {user.is_admin ? (
        <>
          <Accounts self={user} />
          <Orphans />
        </>
      ) : (
        <EmptyState icon={Lock} title={t`Access denied`} isPage>
          {t`Only admins can see and change user accounts.`}
        </EmptyState>
      )}
    </div>
  );
}
