import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { sessionSignal } from "../../io/http/sessionCalls";
import { DATASETS_KEY, datasetKey, TASKS_KEY } from "../../queries/keys";
import { UploadQueue } from "./uploadQueue";

/** Queues by session and dataset. The next user neither sees nor continues the previous user's queues. */
const bySession = new WeakMap<AbortSignal, Map<number, UploadQueue>>();
/** One entry for each `holdWindow` that has not been released. */
const holds = new Set<object>();

/** Returns the dataset's upload queue, which keeps running while the user visits other pages. */
export function useUploads(datasetId: number) {
  const client = useQueryClient();
  const queue = queueOf(datasetId, client);
  return { queue, state: useSyncExternalStore(queue.subscribe, queue.getState) };
}

/** Returns the dataset's upload queue, for use outside components. */
export function queueOf(datasetId: number, client: QueryClient): UploadQueue {
  const session = sessionSignal();
  const queues = queuesOf(session);
  const known = queues.get(datasetId);
  if (known) return known;
  const refresh = () => {
    for (const queryKey of [DATASETS_KEY, datasetKey(datasetId), TASKS_KEY])
      void client.invalidateQueries({ queryKey });
  };
  const queue = new UploadQueue(datasetId, refresh);
  queues.set(datasetId, queue);
  session.addEventListener("abort", () => queue.cancel(), { once: true });
  return queue;
}

function queuesOf(session: AbortSignal): Map<number, UploadQueue> {
  const queues = bySession.get(session) ?? new Map<number, UploadQueue>();
  bySession.set(session, queues);
  return queues;
}

/**
 * Lets the browser ask before the window is closed during work that includes uploads. Returns a function to end this.
 */
export function holdWindow(): () => void {
  const hold = {};
  holds.add(hold);
  return () => void holds.delete(hold);
}

/** Returns true while files are being uploaded, or the window is held for work that includes uploads. */
export const isUploading = (): boolean =>
  holds.size > 0 || [...queuesOf(sessionSignal()).values()].some((queue) => queue.getState().isActive);

/** Asks before the window is closed during uploads. Used once, by the shell. */
export function useUploadGuard(): void {
  useEffect(() => {
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (isUploading()) event.preventDefault();
    };
    window.addEventListener("beforeunload", handleUnload);
    return () => window.removeEventListener("beforeunload", handleUnload);
  }, []);
}
