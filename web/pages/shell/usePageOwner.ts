import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { enterInstallation } from "../../io/http/installation";
import { endSessionCalls } from "../../io/http/sessionCalls";
import { clearQueryCache } from "../../queries/session";

/**
 * Sends this installation's id with all further calls. If the tab held ids of another installation, clears all loaded
 * data and goes to the review page, because the open URL may now name a different image. Returns true while it goes
 * there.
 */
export function useInstallation(installation: string | null): boolean {
  const client = useQueryClient();
  const navigate = useNavigate();
  // In the state initialiser, so that no child renders with the old id or the old data.
  const [isOther] = useState(() => {
    const isOther = enterInstallation(installation);
    if (isOther) {
      endSessionCalls();
      clearQueryCache(client);
    }
    return isOther;
  });
  const [isLeaving, setLeaving] = useState(isOther);
  useEffect(() => {
    if (!isOther) return;
    void navigate("/review", { replace: true });
    setLeaving(false);
  }, [isOther, navigate]);
  return isLeaving;
}
