import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { USER_KEY } from "../../queries/keys";

/** Another tab logged out, or somebody else in: this tab asks who is here before it shows or sends anything more. */
export function useSharedSession(): void {
  const client = useQueryClient();
  useEffect(() => {
    const handleStorage = ({ key }: StorageEvent) => {
      if (key === "limn.user" || key === "limn.logout") void client.invalidateQueries({ queryKey: USER_KEY });
    };
    window.addEventListener("storage", handleStorage);
    return () => window.removeEventListener("storage", handleStorage);
  }, [client]);
}
