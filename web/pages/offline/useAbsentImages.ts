import { useEffect, useMemo, useState } from "react";
import { useIsAway } from "../../components/offline/away";
import type { CopyStore } from "../../offline/copy/copyStore";
import { useCopies } from "./useCopies";

const NONE: ReadonlySet<number> = new Set();

/** Returns the images that cannot be opened, because the server is away and this browser lacks them. */
export function useAbsentImages(imageIds: readonly number[]): ReadonlySet<number> {
  const isAway = useIsAway();
  const found = useCopies();
  const store = found.state === "loaded" ? found.copies.store : undefined;
  const isUnavailable = found.state === "unavailable";
  const [absent, setAbsent] = useState(NONE);
  const key = imageIds.join();
  const ids = useMemo(() => (key === "" ? [] : key.split(",").map(Number)), [key]);
  useEffect(() => {
    if (!isAway) return setAbsent(NONE);
    if (isUnavailable) return setAbsent(new Set(ids));
    if (!store) return;
    let isGone = false;
    const look = () =>
      absentIn(store, ids).then(
        (missing) => !isGone && setAbsent(missing),
        () => undefined,
      );
    void look();
    const stop = store.onChange("images", () => void look());
    return () => {
      isGone = true;
      stop();
    };
  }, [isAway, isUnavailable, store, ids]);
  return isAway ? absent : NONE;
}

/** Returns the images without scene or file in the copy. */
async function absentIn(store: CopyStore, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await store.images.bulkGet([...ids]);
  return new Set(ids.filter((_, i) => !rows[i]?.file || rows[i].sceneRevision === null));
}
