import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { ownerOf, type Session } from "../../queries/session";
import type { Review, ReviewState } from "../../sync/review/review";
import { startSync } from "./startSync";

/** What waits for review in this browser; "nothing" where no journal of another installation lies here. */
type Found =
  | { state: "loading" }
  | { state: "nothing" }
  | { state: "here"; review: Review; groups: Groups; changes: number };
type Groups = NonNullable<ReviewState["groups"]>;

/** Opens the user's journals, and follows what waits there for review. */
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
  if (!found) return { state: "loading" };
  if (!review) return { state: "nothing" };
  return state?.groups ? { state: "here", review, groups: state.groups, changes: state.changes } : { state: "loading" };
}
