import { t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";
import { showSuccess, showWarning } from "../../../components/messages/toast";
import { useIsAway } from "../../../components/offline/away";
import { usePendingEdits } from "../../offline/usePendingEdits";
import { sentText } from "./offlineText";

/** Shows the number of changes sent, once all changes that were made while the server was away have been sent. */
export function useSentToast(): void {
  const isAway = useIsAway();
  const { pending, conflicts } = usePendingEdits() ?? {};
  /** Pending edits and conflicts when they were last seen while away. */
  const waiting = useRef<{ pending: number; conflicts: number }>(undefined);
  useEffect(() => {
    if (pending === undefined || conflicts === undefined) return;
    if (isAway) {
      waiting.current = { pending, conflicts };
      return;
    }
    const before = waiting.current;
    if (!before || pending > 0) return;
    waiting.current = undefined;
    const lost = Math.max(0, conflicts - before.conflicts);
    const text = sentText(before.pending - lost, lost);
    if (!text) return;
    if (lost > 0) showWarning(t`Back online`, text, "back-online");
    else showSuccess(t`Back online`, text);
  }, [isAway, pending, conflicts]);
}
