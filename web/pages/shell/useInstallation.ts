import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { enterInstallation } from "../../io/http/installation";
import { endSessionCalls } from "../../io/http/sessionCalls";
import { clearQueryCache } from "../../queries/session";

/**
 * Names this installation in all further calls. Where the tab had ids of another one, everything loaded is dropped
 * and the tab goes to the review page: the address of an image is that of another image now. Returns true until it is
 * there.
 */
export function useInstallation(installation: string | null): boolean {
  const client = useQueryClient();
  const navigate = useNavigate();
  // Before anything below is rendered: it must not ask with the old id, nor show the old answers.
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
