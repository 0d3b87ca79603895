import { useEffect } from "react";
import { CONNECTION_LOST_DELAY_MS } from "../../../shared/constants";
import { hideToast, showWarning } from "../../components/toast";
import { useConnection } from "./useConnection";

const TOAST = "connection-lost";

/** Warns when the connection has been gone for a second; the warning goes when the connection is back. */
export function ConnectionToast() {
  const connection = useConnection();
  useEffect(() => {
    if (connection === "connected") hideToast(TOAST);
    if (connection !== "disconnected") return;
    const timer = setTimeout(
      () => showWarning("Connection Lost", "Connection lost to the backend", TOAST),
      CONNECTION_LOST_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [connection]);
  return null;
}
