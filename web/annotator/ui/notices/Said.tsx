import { useEffect, useState } from "react";
import { useSaid } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/** Long enough to be read. */
const SHOWN_MS = 2500;

/** The last event: for screen readers, and for a moment on the image. */
export function Said() {
  const { said, saidTimes, isWhispered } = useSaid();
  const [shown, setShown] = useState(0);
  useEffect(() => {
    setShown(saidTimes);
    const timer = setTimeout(() => setShown(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [saidTimes]);
  return (
    <div role="status" className={classes.said} data-shown={(said !== "" && !isWhispered && shown > 0) || undefined}>
      {/* Said twice, it is told twice. */}
      <span key={saidTimes}>{said}</span>
    </div>
  );
}
