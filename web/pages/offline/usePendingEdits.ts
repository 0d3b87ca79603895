import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import { useIsAway } from "../../components/offline/away";
import { hasJournal, type Owner } from "../../io/journal/journalName";
import { ownerOf, useSession } from "../../queries/session";
import type { Sync } from "../../sync/push/sync";

export interface PendingEdits {
  /** Number of edits that the server has not acknowledged; undefined if the journal could not be read. */
  pending: number | undefined;
  /** Number of known conflicts: there may be more if the journal could not be read. */
  conflicts: number;
}

/**
 * Returns the numbers of the user's pending edits and conflicts in this browser; undefined until the journal has been
 * found and the first read has ended. The journal's code is loaded only if there is a journal, or while the server is
 * away; the search for a journal is repeated on each page, because opening an image creates one.
 */
export function usePendingEdits(): PendingEdits | undefined {
  const { user, installation } = useSession();
  const owner = useMemo(() => ownerOf({ user, installation }), [user, installation]);
  const isAway = useIsAway();
  const { pathname } = useLocation();
  /** Null if there is no journal, undefined while it is looked for. */
  const [sync, setSync] = useState<Sync | null>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks for the journal again on each page
  useEffect(() => {
    let isGone = false;
    // Without the journal's code nothing can be counted; the annotator shows the failure.
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
  if (sync === null) return NONE;
  if (!state?.isRead) return undefined;
  return { pending: state.isUnreadable ? undefined : state.pending, conflicts: state.conflicts.length };
}

const NONE: PendingEdits = { pending: 0, conflicts: 0 };

async function findSync(owner: Owner, isNeeded: boolean): Promise<Sync | null> {
  if (!isNeeded && !(await hasJournal(owner))) return null;
  const { syncOf } = await import("../../sync/currentSync");
  return syncOf(owner);
}
