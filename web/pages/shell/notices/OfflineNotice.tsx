import { Text } from "@mantine/core";
import { CloudOff } from "lucide-react";
import { useAwaySince } from "../../../components/offline/away";
import { timeText } from "../../offline/timeText";
import { useCopies } from "../../offline/useCopies";
import { usePendingEdits } from "../../offline/usePendingEdits";
import classes from "./Notices.module.css";
import { offlineText } from "./offlineText";

/**
 * Banner while the server is away: since when, how many changes wait, and how old the copies are. `isRemembered` is
 * true if the server could not be asked who is logged in.
 */
export function OfflineNotice({ isRemembered }: { isRemembered: boolean }) {
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
    <div className={classes.notice} data-kind="offline">
      <CloudOff size={15} aria-hidden className={classes.icon} />
      {/* Announced when it appears, but not again with each change. */}
      <Text size="sm" aria-live="off">
        {text}
      </Text>
    </div>
  );
}
