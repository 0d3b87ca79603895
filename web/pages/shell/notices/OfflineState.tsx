import { Text } from "@mantine/core";
import { CloudOff } from "lucide-react";
import { useAwaySince } from "../../../components/offline/away";
import { timeText } from "../../offline/timeText";
import { useCopies } from "../../offline/useCopies";
import { usePendingEdits } from "../../offline/usePendingEdits";
import classes from "./OfflineState.module.css";
import { offlineText } from "./offlineText";

export interface OfflineStateProps {
  /** True if the session is the remembered one, because the server could not be reached. */
  isRemembered: boolean;
}

/**
 * Line in the navigation bar while the server is away, with the start of the outage, the number of pending changes and
 * the age of the copies. Not a banner above the page, because the page would move under the pointer with each outage.
 */
export function OfflineState({ isRemembered }: OfflineStateProps) {
  const since = useAwaySince();
  const { pending } = usePendingEdits();
  const copies = useCopies();
  if (since === null && !isRemembered) return null;
  const synced = copies.state === "loaded" ? copies.datasets.map(({ syncedAt }) => syncedAt ?? 0) : [];
  const syncedAt = Math.max(0, ...synced);
  const text = offlineText({
    since: since === null ? null : timeText(since),
    pending,
    synced: syncedAt === 0 ? null : timeText(syncedAt),
  });
  return (
    <div className={classes.state} data-kind="offline" title={text}>
      <CloudOff size={15} aria-hidden className={classes.icon} />
      {/* Announced when it appears, but not again with each change. */}
      <Text size="sm" truncate className={classes.text} aria-live="off">
        {text}
      </Text>
    </div>
  );
}
