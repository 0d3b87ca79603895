import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { enterPages } from "../../io/http/pageOwner";
import { endSessionCalls } from "../../io/http/sessionCalls";
import { clearQueryCache, type Session } from "../../queries/session";

/**
 * Sends the session's installation and user with all further calls. If the tab held ids of another installation, clears
 * all loaded data and goes to the review page, because the open URL may now name a different image. Returns true during
 * this redirection.
 */
export function usePageOwner({ installation, user }: Session): boolean {
  const client = useQueryClient();
  const navigate = useNavigate();
  // Runs in the state initialiser, so that no child renders with the old ids or the old data.
  const [isOther] = useState(() => {
    const isOther = enterPages({ installation, userId: user.id });
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
