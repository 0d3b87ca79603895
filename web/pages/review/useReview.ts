import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { ownerOf, type Session } from "../../queries/session";
import type { Review, ReviewState } from "../../sync/review/review";
import { startSync } from "../shell/startSync";

interface Found extends Partial<ReviewState> {
  review: Review | undefined;
  /** The browser has been asked whether there is anything. */
  isKnown: boolean;
}

/** Opens the user's journals; returns what waits for review in this browser. */
export function useReview({ user, installation }: Session): Found {
  const owner = useMemo(() => ownerOf({ user, installation }), [user, installation]);
  const [found, setFound] = useState<{ review: Review | undefined }>();
  useEffect(() => {
    let isGone = false;
    // Without the file of the journal nothing can be drawn either, and the annotator says so.
    startSync(owner).then(
      (review) => !isGone && setFound({ review }),
      () => !isGone && setFound({ review: undefined }),
    );
    return () => {
      isGone = true;
    };
  }, [owner]);
  const review = found?.review;
  const subscribe = useMemo(() => review?.state.subscribe ?? (() => () => undefined), [review]);
  const state = useSyncExternalStore(subscribe, () => review?.state.getState());
  const { groups, changes } = state ?? {};
  return { review, groups, changes, isKnown: found !== undefined && (review === undefined || groups !== undefined) };
}
