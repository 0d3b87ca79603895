import type { ImageQueue } from "../../annotator/document/ports";
import { onceReachable } from "../../io/http/reachability";
import { requestNextImage } from "../../queries/assignment/nextImage";
import { forgetSkipped, rememberSkipped } from "../../queries/assignment/skippedImages";

/** Returns a user's queue for the annotator. */
export const queueOf = (username: string): ImageQueue => ({
  next: (datasetId, except) => requestNextImage(datasetId, username, except),
  skip: (datasetId, imageId) => rememberSkipped(datasetId, username, imageId),
  forgetSkipped: (datasetId) => forgetSkipped(datasetId, username),
  onceReachable,
});
