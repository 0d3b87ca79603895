import { useEffect, useState } from "react";
import { useStatusMessage } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/** Time for which a message is visible, in milliseconds. */
const SHOWN_MS = 2500;

/** Shows the last status message on the image for a moment, and announces it to screen readers. */
export function StatusMessage() {
  const { message, messageCount, isOnlyAnnounced } = useStatusMessage();
  const [shown, setShown] = useState(0);
  useEffect(() => {
    setShown(messageCount);
    const timer = setTimeout(() => setShown(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [messageCount]);
  return (
    <div
      role="status"
      className={classes.statusMessage}
      data-shown={(message !== "" && !isOnlyAnnounced && shown > 0) || undefined}
    >
      {/* A new key, so that screen readers announce a repeated message again. */}
      <span key={messageCount}>{message}</span>
    </div>
  );
}
