import { useSyncExternalStore } from "react";
import { getAwayMs, getAwaySince, subscribeReach } from "../../io/http/reachability";

/** Time after which an outage is shown, in milliseconds. Shorter outages stay hidden, so that nothing flickers. */
const SHOWN_AFTER_MS = 1000;

/** Time for which a click still counts after commands were disabled, in milliseconds: the user aimed before. */
const AIMED_MS = 1000;

/**
 * Returns the time since which the server has been away, in milliseconds since 1970; null while it can be reached and
 * during the first second of an outage.
 */
export const useAwaySince = (): number | null => useSyncExternalStore(subscribeAway, getShownAway);

/** Returns true if the server has been away for at least a second. */
export const useIsAway = (): boolean => useAwaySince() !== null;

/** Returns true if commands that need the server may have been enabled when the user aimed a click that arrives now. */
export const wasAimedBefore = (): boolean => getAwayMs() < SHOWN_AFTER_MS + AIMED_MS;

/** Returns the same as `useAwaySince`, outside components. */
function getShownAway(): number | null {
  return getAwayMs() >= SHOWN_AFTER_MS ? getAwaySince() : null;
}

function subscribeAway(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const handleReach = () => {
    clearTimeout(timer);
    const left = SHOWN_AFTER_MS - getAwayMs();
    if (getAwaySince() !== null && left > 0) timer = setTimeout(listener, left + 1);
    listener();
  };
  handleReach();
  const unsubscribe = subscribeReach(handleReach);
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
