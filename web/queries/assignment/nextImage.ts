import { useMutation } from "@tanstack/react-query";
import { getDataset } from "../../../shared/api/datasets/datasetImages";
import { nextImage } from "../../../shared/api/datasets/queue";
import { confirmAway, getReach } from "../../io/http/reachability";
import { RequestError, request } from "../../io/http/request";
import { skippedImages } from "./skippedImages";

/** The next image of a user's queue. */
export interface QueuedImage {
  /** Null if nothing is left. */
  imageId: number | null;
  /** True if the server could not be reached, so that only assigned images in this browser were considered. */
  isAway: boolean;
  /** True if images were left out because the user had skipped them. */
  hasSkipped: boolean;
}

/** Number of assigned images that are considered without a server. */
const MOST_ASSIGNED = 200;

/**
 * Leases the user's next image of a dataset. Without a server there is no lease: then this is the first image of this
 * browser's copy that is assigned to the user and not done, returned images first. Images in `except`, and those that
 * the user has skipped, are left out.
 */
export async function requestNextImage(
  datasetId: number,
  username: string,
  except: readonly number[],
): Promise<QueuedImage> {
  const skipped = skippedImages(datasetId, username).filter((id) => !except.includes(id));
  const next = await requestOther(datasetId, username, [...except, ...skipped]);
  return { ...next, hasSkipped: skipped.length > 0 };
}

async function requestOther(
  datasetId: number,
  username: string,
  except: readonly number[],
): Promise<Omit<QueuedImage, "hasSkipped">> {
  const params = { id: datasetId };
  if (getReach() === "reachable") {
    try {
      const { image_id: imageId } = await request(nextImage, { params, body: { except: [...except] } });
      return { imageId, isAway: false };
    } catch (error) {
      if (!isUnreachable(error) || !(await confirmAway())) throw error;
    }
  }
  try {
    const query = { assignee: username, done: false, page: 1, limit: MOST_ASSIGNED };
    const { images } = await request(getDataset, { params, query });
    const left = images.filter(({ id }) => !except.includes(id));
    const image = left.find(({ stage }) => stage === "returned") ?? left[0];
    return { imageId: image?.id ?? null, isAway: true };
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    return { imageId: null, isAway: true };
  }
}

const isUnreachable = (error: unknown): boolean => error instanceof RequestError && error.isOffline;

/** Asks for the user's next image of a dataset. */
export const useNextImage = (datasetId: number, username: string) =>
  useMutation({ mutationFn: () => requestNextImage(datasetId, username, []) });
