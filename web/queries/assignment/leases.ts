import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { listLeases, releaseImage } from "../../../shared/api/datasets/queue";
import type { WorkEvent } from "../../../shared/events";
import { request } from "../../io/http/request";
import { socket } from "../../io/live/socket";
import { datasetKey } from "../keys";
import { useQueryState } from "../queryState";

const NOBODY: ReadonlyMap<number, string> = new Map();

/**
 * Returns the users to whom images of a dataset are leased, by image. Loaded again when the server reports a change.
 */
export function useLeases(datasetId: number, isEnabled: boolean): ReadonlyMap<number, string> {
  const client = useQueryClient();
  const leases = useQueryState({
    queryKey: [...datasetKey(datasetId), "leases"],
    queryFn: ({ signal }) => request(listLeases, { params: { id: datasetId } }, { signal }),
    select: byImage,
    enabled: isEnabled,
    meta: { quiet: true },
  });
  useEffect(() => {
    if (!isEnabled) return;
    const live = socket();
    const handleWork = ({ dataset_id }: WorkEvent) => {
      if (dataset_id === datasetId) void client.invalidateQueries({ queryKey: [...datasetKey(datasetId), "leases"] });
    };
    live.on("work", handleWork);
    return () => void live.off("work", handleWork);
  }, [client, datasetId, isEnabled]);
  return leases.state === "loaded" ? leases.data : NOBODY;
}

const byImage = (leases: readonly { image_id: number; username: string }[]): ReadonlyMap<number, string> =>
  new Map(leases.map(({ image_id, username }) => [image_id, username]));

/** Ends a user's lease of an image. That of another user, who has got the image meanwhile, stays. */
export const endLease = (datasetId: number, imageId: number, username: string): Promise<unknown> =>
  request(releaseImage, { params: { id: datasetId, imageId }, query: { username } });
