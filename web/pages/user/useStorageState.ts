import { useEffect, useState } from "react";
import { useCopies } from "../offline/useCopies";

/** Bytes that this browser stores for this page, and the maximum. */
interface Storage {
  used: number;
  quota: number;
  /** True if the browser does not delete the data on its own. */
  isProtected: boolean;
}

/**
 * Returns the state of this browser's storage: undefined until known, null if the browser does not report it. Reads the
 * state again when copies change.
 */
export function useStorageState() {
  const [storage, setStorage] = useState<Storage | null>();
  const [count, setCount] = useState(0);
  const copies = useCopies();
  const size = copies.state === "loaded" ? copies.datasets.reduce((sum, { bytes }) => sum + bytes.here, 0) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again when asked, and when the copies' size changes
  useEffect(() => {
    let isGone = false;
    void readStorage().then((read) => !isGone && setStorage(read));
    return () => {
      isGone = true;
    };
  }, [count, size]);
  return { storage, refresh: () => setCount((before) => before + 1) };
}

/** Reads the state; null if the browser does not report it, e.g. outside secure contexts. */
async function readStorage(): Promise<Storage | null> {
  try {
    const [{ usage, quota }, isProtected] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted(),
    ]);
    return usage === undefined || quota === undefined ? null : { used: usage, quota, isProtected };
  } catch {
    return null;
  }
}
