import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { CONNECTION_LOST_DELAY_MS } from "../../../shared/constants";
import { hideToast, showWarning } from "../../components/messages/toast";
import { onReturn } from "../../io/http/reachability";
import { getLimit } from "../../io/live/connection";
import { useConnection } from "./navbar/useConnection";
import { setLossReported } from "./notices/connectionLoss";
import { refreshAfterReconnect } from "./refreshAfterReconnect";

const TOAST = "connection-lost";

/**
 * Shows a warning after one second without connection. The line in the navigation bar follows it. On reconnect, hides
 * the warning and reloads the lists. Also reloads the lists when the server can be reached again, because they may show
 * this browser's data.
 */
export function ConnectionToast() {
  const connection = useConnection();
  const client = useQueryClient();
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === "connected") {
      hideToast(TOAST);
      setLossReported(false);
      if (wasLost.current) refreshAfterReconnect(client);
    }
    wasLost.current = connection === "disconnected";
    if (connection !== "disconnected") return;
    const timer = setTimeout(() => {
      const limit = getLimit();
      if (limit) {
        showWarning(t`Live updates paused`, `${limit.message} ${t`Your changes are still saved.`}`, TOAST);
        // Another fact than that the server is away.
        setLossReported(true);
      } else {
        showWarning(t`Connection Lost`, t`Connection lost to the backend`, TOAST, () => setLossReported(true));
      }
    }, CONNECTION_LOST_DELAY_MS);
    return () => clearTimeout(timer);
  }, [connection, client]);
  useEffect(() => onReturn(() => refreshAfterReconnect(client)), [client]);
  return null;
}
