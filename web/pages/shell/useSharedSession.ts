import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { onOtherOwner } from "../../io/http/pageOwner";
import { socket } from "../../io/live/socket";
import { USER_KEY } from "../../queries/keys";

/**
 * Reloads the session when it may have changed: another tab logged in or out, the server refused the live connection
 * (session or account ended), or it refused this page's calls because of their installation or user.
 */
export function useSharedSession(): void {
  const client = useQueryClient();
  useEffect(() => {
    const live = socket();
    const reload = () => void client.invalidateQueries({ queryKey: USER_KEY });
    const handleStorage = ({ key }: StorageEvent) => {
      if (key === "limn.user" || key === "limn.logout") reload();
    };
    const handleRefusal = () => {
      if (!live.active) reload();
    };
    window.addEventListener("storage", handleStorage);
    live.on("connect_error", handleRefusal);
    const unsubscribe = onOtherOwner(reload);
    return () => {
      unsubscribe();
      window.removeEventListener("storage", handleStorage);
      live.off("connect_error", handleRefusal);
    };
  }, [client]);
}
