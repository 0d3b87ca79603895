import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { authPath } from "../../io/authPath";
import { useEndSession } from "../../queries/session";
import classes from "../Annotator.module.css";
import { useSaveState } from "../context";

/** What keeps the work from the server until the person does something about it: said as long as that lasts. */
export function LastingNotice() {
  const { phase } = useSaveState();
  if (phase === "signedOut")
    return (
      <Notice>
        <span>Your session has ended. What you draw is kept here.</span>
        <LogInLink />
      </Notice>
    );
  if (phase === "somebodyElse")
    return (
      <Notice>
        <span>Somebody else is logged in in this browser; what you draw is kept here until you log in again.</span>
        <LogInLink />
      </Notice>
    );
  return null;
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={classes.notice}>
      {children}
    </div>
  );
}

/** Back to this picture afterwards. */
function LogInLink() {
  const { pathname, search } = useLocation();
  const endSession = useEndSession();
  return (
    <Anchor component={Link} to={authPath(pathname + search)} onClick={endSession} inherit fw={600}>
      Log in
    </Anchor>
  );
}
