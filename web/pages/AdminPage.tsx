import { Lock } from "lucide-react";
import { EmptyState } from "../components/EmptyState";
import { useSession } from "../queries/session";
import classes from "./AdminPage.module.css";
import { Accounts } from "./admin/Accounts";
import { Orphans } from "./admin/Orphans";
import { Loading } from "./shell/Loading";
import { PageTitle } from "./shell/PageTitle";

/** Accounts, for admins. Others are told so; the server refuses them in any case. */
export function AdminPage() {
  const { data: session } = useSession();
  if (!session) return <Loading />;
  return (
    <div className={classes.page}>
      <PageTitle>Users</PageTitle>
      {session.user.is_admin ? (
        <>
          <Accounts self={session.user} />
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
