import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { DATASETS_KEY, datasetKey, TASKS_KEY } from "../../queries/keys";
import { UploadQueue } from "./uploadQueue";

const queues = new Map<number, UploadQueue>();
/** One for each `holdWindow` that has not ended. */
const holds = new Set<object>();

/** The dataset's uploads, also those that were begun before one went to another page and came back. */
export function useUploads(datasetId: number) {
  const client = useQueryClient();
  const queue = queueOf(datasetId, client);
  return { queue, state: useSyncExternalStore(queue.subscribe, queue.getState) };
}

/** The same for who is no component. */
export function queueOf(datasetId: number, client: QueryClient): UploadQueue {
  const known = queues.get(datasetId);
  if (known) return known;
  const refresh = () => {
    for (const queryKey of [DATASETS_KEY, datasetKey(datasetId), TASKS_KEY])
      void client.invalidateQueries({ queryKey });
  };
  const queue = new UploadQueue(datasetId, refresh);
  queues.set(datasetId, queue);
  return queue;
}

/** For work of which uploads are a part: the guard asks until the answered function is called. */
export function holdWindow(): () => void {
  const hold = {};
  holds.add(hold);
  return () => void holds.delete(hold);
}

/** True while files are on their way, or work goes on of which they are a part. */
export const isUploading = (): boolean =>
  holds.size > 0 || [...queues.values()].some((queue) => queue.getState().isActive);

/** Asks before the window is closed over uploads that are on their way. Used once, by the shell. */
export function useUploadGuard(): void {
  useEffect(() => {
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (isUploading()) event.preventDefault();
    };
    window.addEventListener("beforeunload", handleUnload);
    return () => window.removeEventListener("beforeunload", handleUnload);
  }, []);
}

/** Ends all uploads: whoever logs in next has nothing to do with them. */
export function dropUploads(): void {
  for (const queue of queues.values()) queue.cancel();
  queues.clear();
}
