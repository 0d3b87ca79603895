import { Text } from "@mantine/core";
import { CloudOff } from "lucide-react";
import { useAwaySince } from "../../../components/offline/away";
import { timeText } from "../../offline/timeText";
import { useIsLossBeingReported } from "./connectionLoss";
import classes from "./OfflineLine.module.css";
import { offlineText } from "./offlineText";

export interface OfflineLineProps {
  /** True if the session is the remembered one, because the server could not be reached. */
  isRemembered: boolean;
  /** Details after the start of the outage. */
  details?: string[];
}

/**
 * Line in the navigation bar while the server is away, after the toast that reports the outage. Not a banner above the
 * page, because the page would move under the pointer with each outage.
 */
export function OfflineLine({ isRemembered, details = [] }: OfflineLineProps) {
  const since = useAwaySince();
  const isBeingReported = useIsLossBeingReported();
  if ((since === null && !isRemembered) || isBeingReported) return null;
  const text = offlineText(since === null ? null : timeText(since), details);
  return (
    <div className={classes.line} data-kind="offline" title={text}>
      <CloudOff size={15} aria-hidden className={classes.icon} />
      {/* Announced when it appears, but not again with each change. */}
      <Text size="sm" truncate className={classes.text} aria-live="off">
        {text}
      </Text>
    </div>
  );
}
