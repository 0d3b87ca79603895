import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { ownerOf, type Session } from "../../queries/session";
import type { Review, ReviewState } from "../../sync/review/review";
import { startSync } from "./startSync";

/** Changes in this browser that need a review; "nothing" if it holds no journal of another installation. */
type Found =
  | { state: "loading" }
  | { state: "nothing" }
  | { state: "loaded"; review: Review; groups: Groups; changes: number; isUnreadable: boolean };
type Groups = NonNullable<ReviewState["groups"]>;

/** Opens the user's journals and subscribes to changes in them that need a review. */
export function useReview({ user, installation }: Session): Found {
  const owner = useMemo(() => ownerOf({ user, installation }), [user, installation]);
  const [found, setFound] = useState<{ review: Review | undefined }>();
  useEffect(() => {
    let isGone = false;
    // A failure to load the journal's code is ignored here: the annotator needs it too and shows the error.
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
  if (!found) return { state: "loading" };
  if (!review) return { state: "nothing" };
  return state?.groups
    ? { state: "loaded", review, groups: state.groups, changes: state.changes, isUnreadable: state.isUnreadable }
    : { state: "loading" };
}
