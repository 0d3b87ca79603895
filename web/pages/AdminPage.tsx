import { Lock } from "lucide-react";
import { EmptyState } from "../components/EmptyState";
import { useSession } from "../queries/session";
import classes from "./AdminPage.module.css";
import { Accounts } from "./admin/Accounts";
import { Orphans } from "./admin/Orphans";
import { PageTitle } from "./shell/PageTitle";

/** Accounts, for admins. Others are told so; the server refuses them in any case. */
export function AdminPage() {
  const { user } = useSession();
  return (
    <div className={classes.page}>
      <PageTitle>Users</PageTitle>
      {user.is_admin ? (
        <>
          <Accounts self={user} />
          <Orphans />
        </>
      ) : (
        <EmptyState icon={Lock} title="Access denied" isPage>
          Only admins may see and change user accounts.
        </EmptyState>
      )}
    </div>
  );
}
