import { timeText } from "../../offline/timeText";
import { useCopies } from "../../offline/useCopies";
import { usePendingEdits } from "../../offline/usePendingEdits";
import { OfflineLine, type OfflineLineProps } from "./OfflineLine";
import { pendingText, syncedText } from "./offlineText";

/** Offline line with the number of pending changes and the age of the copies. */
export function OfflineState(props: OfflineLineProps) {
  const pending = usePendingEdits()?.pending;
  const copies = useCopies();
  const synced = copies.state === "loaded" ? copies.datasets.map(({ syncedAt }) => syncedAt ?? 0) : [];
  const syncedAt = Math.max(0, ...synced);
  const details = pending === undefined ? [] : [pendingText(pending)];
  if (syncedAt > 0) details.push(syncedText(timeText(syncedAt)));
  return <OfflineLine {...props} details={details} />;
}
