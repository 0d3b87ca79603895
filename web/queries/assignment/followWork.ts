import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { WorkEvent } from "../../../shared/events";
import { socket } from "../../io/live/socket";
import { datasetKey } from "../keys";

/** Pause in milliseconds before a reload, since a task sends an event for each of its parts. */
const PAUSE_MS = 1_000;

/** Reloads a dataset's list of images, and the digest of a selection, when assignments in it have changed. */
export function useFollowWork(datasetId: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const live = socket();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const handleWork = ({ dataset_id, what }: WorkEvent) => {
      if (dataset_id !== datasetId || what !== "assignments") return;
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const part of ["images", "selection"])
          void client.invalidateQueries({ queryKey: [...datasetKey(datasetId), part] });
      }, PAUSE_MS);
    };
    live.on("work", handleWork);
    return () => {
      clearTimeout(timer);
      live.off("work", handleWork);
    };
  }, [client, datasetId]);
}
