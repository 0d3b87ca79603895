import type { AnnotationEvent, TaskProgressEvent, WorkEvent } from "../../shared/events";
import type { OlderPages } from "./olderPages";

/** Notifies open pages. Events are only hints: a page that misses one catches up with a call. */
export interface Live {
  /** Notifies the pages that have the image open. Call it after the commit. */
  notifyImageRoom(event: AnnotationEvent): void;
  /** Notifies the task's creator and followers, the dataset's owner and maintainers, and admins. */
  notifyTaskProgress(event: TaskProgressEvent & { creator_id: number | null }): void;
  /** Notifies a user's pages that the user's role in the dataset has changed. Call it after the commit. */
  notifyRole(userId: number, datasetId: number): void;
  /**
   * Notifies the pages that have an image of these datasets open that a category has changed, or which categories the
   * datasets list. `client`: id of the client that made the change. Call it after the commit.
   */
  notifyCategories(datasetIds: readonly number[], client?: string): void;
  /** Notifies users that their number of unread comments may have changed. */
  notifyComments(userIds: readonly number[]): void;
  /**
   * Notifies the pages that show the dataset's list, and these users, that assignments or leases have changed. Call it
   * after the commit.
   */
  notifyWork(datasetId: number, userIds: readonly number[], what: WorkEvent["what"]): void;
  /** Returns the names of the users who have the image open, each once. */
  annotating(imageId: number): string[];
  readonly olderPages: Pick<OlderPages, "isOpen" | "hasSeveral">;
  /** Closes all sockets of a user (after logout, or when an account is deleted or its password changed). */
  disconnectUser(userId: number): void;
  /** Closes a user's sockets in the rooms of a dataset and its images, after a change of members. */
  leaveDataset(userId: number, datasetId: number): void;
}
