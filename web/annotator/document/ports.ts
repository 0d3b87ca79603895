import type { StoreApi } from "zustand/vanilla";
import type { Edit, EditAnswer, WorkSession } from "../../../shared/edits/edit";
import type { AnnotationFields } from "../../../shared/entities/annotation";
import type { ImageSummary } from "../../../shared/entities/image";
import type { Metadata } from "../../../shared/entities/scalars";
import type { Place } from "../../sync/journal/journal";
import type { Choice, Conflict, SyncState } from "../../sync/journal/syncState";

/** Ports of the annotator to the rest of the application; the page connects them. */

/**
 * The destination of edits, implemented by `web/sync`. Each edit is first stored in this browser's journal, then
 * pushed.
 */
export interface EditSink {
  /** Id of this page's client, by which the server names the author of changes. */
  readonly client: string;
  /**
   * Records edits. `wholes`: the changed annotations in their current form, by uuid. `place`: the image on which the
   * edits were made.
   */
  record(edits: readonly Edit[], wholes?: ReadonlyMap<string, AnnotationFields>, place?: Place): Promise<void>;
  /** Records preferences. Last write wins, for each key. */
  recordPreferences(preferences: Metadata): Promise<void>;
  /** Records time spent working. */
  recordSession(session: WorkSession): Promise<void>;
  readonly state: StoreApi<SyncState>;
  /** Pushes now. Resolves when nothing is left to push or pushing is impossible at present. */
  flush(): Promise<void>;
  /**
   * Resolves conflicts, including others of the same subjects. "mine" applies the user's changes to the server's
   * current revision, "theirs" drops them, "again" sends the edits unchanged.
   */
  resolve(conflicts: readonly Conflict[], choice: Choice): Promise<void>;
  onAnswer(listener: (edit: Edit, answer: EditAnswer) => void): () => void;
}

/** The list of images that previous and next follow. */
export interface ImageList {
  /** Returns the number of images before the open one, and of all images. */
  place(): Promise<{ before: number; total: number }>;
  /** Returns the images from `offset` on, at most `limit`. */
  read(offset: number, limit: number): Promise<ImageSummary[]>;
}

/** The queue that gives the user one image after another. */
export interface ImageQueue {
  /**
   * Returns the user's next image of a dataset; null if nothing is left, for `isAway` only among the images in this
   * browser, for `hasSkipped` only without those that the user has skipped.
   */
  next(
    datasetId: number,
    except: readonly number[],
  ): Promise<{ imageId: number | null; isAway: boolean; hasSkipped: boolean }>;
  /** Leaves an image out in this round. */
  skip(datasetId: number, imageId: number): void;
  /** Begins the next round, in which skipped images are given again. */
  forgetSkipped(datasetId: number): void;
  /**
   * Calls `listener` once the server can be reached, at once if it can be reached now. Returns a function that stops
   * it.
   */
  onceReachable(listener: () => void): () => void;
}

/** Notifies the user: a short title, what happened or what to do, and a button if one action helps. */
export type Notify = (kind: "info" | "error", title: string, message: string, action?: NotificationAction) => void;

export interface NotificationAction {
  label: string;
  onClick: () => void;
  /** True if the action changes the open image, so that it is no longer offered once the user has left the image. */
  endsWithImage: boolean;
}
