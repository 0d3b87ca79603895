import { useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { LoadError } from "../../components/LoadError";
import { authPath } from "../../io/authPath";
import { connect } from "../../io/connection";
import { type Session, useSession } from "../../queries/session";
import { useTaskEvents } from "../../queries/tasks";
import { useUploadGuard } from "../dataset/useUploads";
import { ConnectionToast } from "./ConnectionToast";
import { Loading } from "./Loading";
import { Navbar } from "./Navbar";
import { Notices } from "./Notices";
import classes from "./Shell.module.css";
import { startSync } from "./startSync";
import { useNoStrayDrops } from "./useNoStrayDrops";
import { useSharedSession } from "./useSharedSession";

/** The frame of all pages that need a person: nobody logged in is sent to log in, and comes back afterwards. */
export function Shell() {
  const { pathname, search } = useLocation();
  const { data: session, isPending, error, refetch } = useSession();
  if (isPending) return <Loading />;
  if (session === undefined) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (session === null) return <Navigate to={authPath(pathname + search)} replace />;
  return <Frame key={session.user.id} session={session} />;
}

function Frame({ session: { user, isRemembered } }: { session: Session }) {
  useEffect(connect, []);
  useEffect(() => {
    // Without the file of the journal nothing can be drawn either, and the annotator says so.
    startSync(user.id).catch(() => undefined);
  }, [user.id]);
  useTaskEvents();
  useSharedSession();
  useNoStrayDrops();
  useUploadGuard();
  return (
    <div className={classes.frame}>
      <button type="button" className={classes.skip} onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <Navbar />
      <Notices isRemembered={isRemembered} />
      <ConnectionToast />
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
