import { t } from "@lingui/core/macro";
import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { authPath } from "../../../io/http/authPath";
import { useEndSession } from "../../../queries/session";
import { isShutOut } from "../../../sync/journal/syncState";
import { useDocument, useLoss, useSaveState } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/** Banner shown while edits cannot be sent until the user does something about it. */
export function SaveBanner() {
  const { phase } = useSaveState();
  const loss = useLoss();
  const kind = isShutOut(phase) ? phase : loss;
  const mayRestore = useDocument((state) => state.permissions.image.delete);
  switch (kind) {
    case "signedOut":
      return <Banner link={<LogInLink />}>{t`Your session has ended. What you draw is saved on this device.`}</Banner>;
    case "otherUser":
      return (
        <Banner link={<LogInLink />}>
          {t`Another user has logged in on this browser. What you draw is saved on this device until you log in again.`}
        </Banner>
      );
    case "otherInstallation":
      return (
        <Banner link={<ReviewLink />}>
          {t`The server's data was restored or replaced. What you drew is saved on this device; nothing is sent until you have reviewed it.`}
        </Banner>
      );
    case "deleted":
      return mayRestore ? (
        <Banner link={<UndoLink />}>
          {t`This image was deleted. You can restore it on the Undo page; what you draw is saved on this device until then.`}
        </Banner>
      ) : (
        <Banner>
          {t`This image was deleted. Its owner can restore it; what you draw is saved on this device until then.`}
        </Banner>
      );
    case "hidden":
      return (
        <Banner>
          {t`You no longer have access to this image: its dataset is no longer shared with you, or was deleted. What you draw is saved on this device.`}
        </Banner>
      );
    default:
      return null;
  }
}

function Banner({ children, link }: { children: ReactNode; link?: ReactNode }) {
  return (
    <div role="alert" className={classes.banner}>
      <span>{children}</span>
      {link}
    </div>
  );
}

/** Link to the login page, which returns to this image. */
function LogInLink() {
  const { pathname, search } = useLocation();
  const endSession = useEndSession();
  return (
    <Anchor component={Link} to={authPath(pathname + search)} onClick={endSession} inherit fw={600}>
      {t`Log in`}
    </Anchor>
  );
}

function ReviewLink() {
  return (
    <Anchor component={Link} to="/review" inherit fw={600}>
      {t`Review`}
    </Anchor>
  );
}

function UndoLink() {
  return (
    <Anchor component={Link} to="/undo" inherit fw={600}>
      {t`Undo page`}
    </Anchor>
  );
}
