import type { Files } from "../files/files";
import type { Live } from "../live/live";

/** What tasks may touch beside the helpers of the queue. */
export interface TaskTools {
  files: Files;
  live: Live;
}
