import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { onOtherInstallation } from "../../io/http/installation";
import { socket } from "../../io/live/socket";
import { USER_KEY } from "../../queries/keys";

/**
 * Another tab logged out, or somebody else in; or the server refuses the live connection, because the session or the
 * account has ended; or the server has refused ids of another installation: this tab asks who is here, and
 * where, before it shows or sends anything more.
 */
export function useSharedSession(): void {
  const client = useQueryClient();
  useEffect(() => {
    const live = socket();
    const ask = () => void client.invalidateQueries({ queryKey: USER_KEY });
    const handleStorage = ({ key }: StorageEvent) => {
      if (key === "limn.user" || key === "limn.logout") ask();
    };
    const handleRefusal = () => {
      if (!live.active) ask();
    };
    window.addEventListener("storage", handleStorage);
    live.on("connect_error", handleRefusal);
    const stopHearing = onOtherInstallation(ask);
    return () => {
      stopHearing();
      window.removeEventListener("storage", handleStorage);
      live.off("connect_error", handleRefusal);
    };
  }, [client]);
}
