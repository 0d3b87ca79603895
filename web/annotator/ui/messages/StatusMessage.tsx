import { useEffect, useState } from "react";
import { useStatusMessage } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/** Shortest time for which a message is visible, in milliseconds. */
const SHORTEST_MS = 2500;
/** Time to read a byte of UTF-8, in milliseconds: a Chinese character, of three bytes, takes as long as three letters. */
const READING_MS = 60;

/** Shows the last status message on the image until it can be read, and announces it to screen readers. */
export function StatusMessage() {
  const { message, messageCount, isOnlyAnnounced } = useStatusMessage();
  const [shown, setShown] = useState(0);
  useEffect(() => {
    setShown(messageCount);
    const readingMs = READING_MS * new TextEncoder().encode(message).length;
    const timer = setTimeout(() => setShown(0), Math.max(SHORTEST_MS, readingMs));
    return () => clearTimeout(timer);
  }, [message, messageCount]);
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
