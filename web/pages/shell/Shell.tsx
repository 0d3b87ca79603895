import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { lazyOrNothing } from "../../components/late/lazyOrNothing";
import { loadLate } from "../../components/late/loadLate";
import { LoadError } from "../../components/messages/LoadError";
import { authPath } from "../../io/http/authPath";
import { connect } from "../../io/live/connection";
import { useRoleEvents } from "../../queries/datasets";
import { CurrentSession, ownerOf, type Session, useSessionQuery } from "../../queries/session";
import { useTaskEvents } from "../../queries/tasks";
import { FirstPage } from "../common/FirstPage";
import { Loading } from "../common/Loading";
import { useUploadGuard } from "../uploads/useUploads";
import { ConnectionToast } from "./ConnectionToast";
import { Navbar } from "./navbar/Navbar";
import { OfflineLine } from "./notices/OfflineLine";
import classes from "./Shell.module.css";
import { useLocalData } from "./useLocalData";
import { useNoStrayDrops } from "./useNoStrayDrops";
import { usePageOwner } from "./usePageOwner";
import { useSharedSession } from "./useSharedSession";
import { useTypingTracker } from "./useTypingTracker";

// Both are loaded soon after the first page, because the network may fail later.
const Notices = lazyOrNothing(() => loadLate(async () => (await import("./notices/Notices")).Notices));
const OfflineState = lazyOrNothing(
  () => loadLate(async () => (await import("./notices/OfflineState")).OfflineState),
  OfflineLine,
);

/** Frame of all pages that need a logged-in user. Sends other users to the login, and back to the page afterwards. */
export function Shell() {
  const { pathname, search } = useLocation();
  const query = useSessionQuery();
  if (query.state === "loading") return <Loading />;
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { data: session } = query;
  if (session === null) return <Navigate to={authPath(pathname + search)} replace />;
  return <Frame key={`${session.installation} ${session.user.id}`} session={session} />;
}

function Frame({ session }: { session: Session }) {
  const isLeaving = usePageOwner(session);
  useLocalData(ownerOf(session));
  useEffect(connect, []);
  useTaskEvents();
  useRoleEvents();
  useSharedSession();
  useNoStrayDrops();
  useUploadGuard();
  useTypingTracker();
  if (isLeaving) return <Loading />;
  return (
    <CurrentSession value={session}>
      <div className={classes.frame}>
        <button type="button" className={classes.skip} onClick={() => document.getElementById("main")?.focus()}>
          {t`Skip to content`}
        </button>
        <Navbar state={<OfflineState isRemembered={session.isRemembered} />} />
        <div role="status">
          <Notices />
        </div>
        <ConnectionToast />
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
        <FirstPage />
      </div>
    </CurrentSession>
  );
}
