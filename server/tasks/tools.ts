import type { Files } from "../files/files";

/** What tasks may touch beside the helpers of the queue. */
export interface TaskTools {
  files: Files;
}
