import type { AnnotationEvent, TaskProgressEvent } from "../../shared/events";

/** Notifies open pages. Hints only: a page that misses one catches up by a call. */
export interface Live {
  /** To those who have the image open. After commit. */
  tellImage(event: AnnotationEvent): void;
  /** To the task's creator, the dataset's owner and admins. */
  tellTask(event: TaskProgressEvent & { creator_id: number | null }): void;
  /** Names of those who have the image open, each once. */
  annotating(imageId: number): string[];
  /** Ends all sockets of a user (log-out, deleted account, changed password). */
  disconnectUser(userId: number): void;
  /** Ends the sockets' right to an image's or dataset's rooms after a change of members. */
  leaveDataset(userId: number, datasetId: number): void;
}
