import { useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { LoadError } from "../../components/messages/LoadError";
import { authPath } from "../../io/http/authPath";
import { connect } from "../../io/live/connection";
import { CurrentSession, type Session, useSessionQuery } from "../../queries/session";
import { useTaskEvents } from "../../queries/tasks";
import { Loading } from "../common/Loading";
import { useReview } from "../review/useReview";
import { useUploadGuard } from "../uploads/useUploads";
import { ConnectionToast } from "./ConnectionToast";
import { useTypingFollowed } from "./NewVersion";
import { Notices } from "./Notices";
import { Navbar } from "./navbar/Navbar";
import classes from "./Shell.module.css";
import { useInstallation } from "./useInstallation";
import { useNoStrayDrops } from "./useNoStrayDrops";
import { useSharedSession } from "./useSharedSession";

/** The frame of all pages that need a person: nobody logged in is sent to log in, and comes back afterwards. */
export function Shell() {
  const { pathname, search } = useLocation();
  const answer = useSessionQuery();
  if (answer.state === "loading") return <Loading />;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={() => void answer.retry()} />;
  const { data: session } = answer;
  if (session === null) return <Navigate to={authPath(pathname + search)} replace />;
  return <Frame key={`${session.installation} ${session.user.id}`} session={session} />;
}

function Frame({ session }: { session: Session }) {
  const isLeaving = useInstallation(session.installation);
  useEffect(connect, []);
  const found = useReview(session);
  useTaskEvents();
  useSharedSession();
  useNoStrayDrops();
  useUploadGuard();
  useTypingFollowed();
  if (isLeaving) return <Loading />;
  return (
    <CurrentSession value={session}>
      <div className={classes.frame}>
        <button type="button" className={classes.skip} onClick={() => document.getElementById("main")?.focus()}>
          Skip to content
        </button>
        <Navbar />
        <Notices isRemembered={session.isRemembered} waiting={found.state === "loaded" ? found.changes : 0} />
        <ConnectionToast />
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </CurrentSession>
  );
}
