import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import { useIsAway } from "../../components/offline/away";
import { hasJournal, type Owner } from "../../io/journal/journalName";
import { ownerOf, useSession } from "../../queries/session";
import type { Sync } from "../../sync/push/sync";

/** Number of edits that the server has not acknowledged, and of conflicts. */
export interface PendingEdits {
  pending: number;
  conflicts: number;
}

/**
 * Returns the numbers of the user's pending edits and conflicts in this browser. The journal's code is loaded only if
 * there is a journal, or while the server is away; the search for a journal is repeated on each page, because opening
 * an image creates one.
 */
export function usePendingEdits(): PendingEdits {
  const { user, installation } = useSession();
  const owner = useMemo(() => ownerOf({ user, installation }), [user, installation]);
  const isAway = useIsAway();
  const { pathname } = useLocation();
  const [sync, setSync] = useState<Sync>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks for the journal again on each page
  useEffect(() => {
    let isGone = false;
    // Without the journal's code there is nothing to count; the annotator shows the failure.
    findSync(owner, isAway).then(
      (found) => !isGone && setSync(found),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [owner, isAway, pathname]);
  const subscribe = useMemo(() => sync?.state.subscribe ?? (() => () => undefined), [sync]);
  const state = useSyncExternalStore(subscribe, () => sync?.state.getState());
  return { pending: state?.pending ?? 0, conflicts: state?.conflicts.length ?? 0 };
}

async function findSync(owner: Owner, isNeeded: boolean): Promise<Sync | undefined> {
  if (!isNeeded && !(await hasJournal(owner))) return undefined;
  const { syncOf } = await import("../../sync/currentSync");
  return syncOf(owner);
}
