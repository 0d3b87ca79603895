import type { LaterChange } from "../../../../shared/edits/merge";
import type { Stage } from "../../../../shared/entities/image";
import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import type { Metadata } from "../../../../shared/entities/scalars";
import type { Rle } from "../../../../shared/entities/shape";
import type { DatasetTies } from "../../../base/permissions";
import type { EditedColumn } from "../../../db/rows/annotations";
import type { AnnotationRow, CategoryRow } from "../../../db/schema";
import type { StoredComments } from "../../comments/storedComments";

/**
 * Stored state of the images, annotations, categories and comments that a batch names and its user may see, read while
 * the images are locked. Planning changes it in memory and marks the rows to be written.
 */
export interface Snapshot extends StoredComments {
  images: Map<number, ImageState>;
  /** By uuid, including deleted annotations. */
  annotations: Map<string, AnnotationState>;
  categories: Map<number, CategoryState>;
  /** Responses to edits of this batch that were stored earlier, by the edit's uuid. */
  earlierAnswers: Map<string, EarlierAnswer>;
}

/** Answer to a stored edit, and the client that sent the edit. */
export interface EarlierAnswer {
  client: string;
  answer: { [key: string]: unknown };
}

export interface ImageState {
  id: number;
  dataset_id: number;
  width: number;
  height: number;
  revision: number;
  reload_revision: number;
  labels: number[];
  done: boolean;
  stage: Stage;
  returned_by: string | null;
  /** ISO 8601. */
  returned_at: string | null;
  /** True if the dataset asks for review. */
  isReviewed: boolean;
  mayReview: boolean;
  metadata: Metadata;
  defaultMetadata: Metadata;
  /** The user's relation to the image's dataset. */
  ties: DatasetTies;
  /** Changes of the image itself; incomplete if the history has gaps. */
  later: Later;
  /** `count`: annotations must be counted again; `categories`: only the list of their categories must be updated. */
  changed: {
    revision?: boolean;
    labels?: boolean;
    metadata?: boolean;
    stage?: boolean;
    count?: boolean;
    categories?: boolean;
  };
}

export interface AnnotationState {
  row: AnnotationRow;
  /** True if the history has the annotation's creation, so that the values before an edit are known. */
  logged: boolean;
  later: Later;
  /** The stored mask, or the mask that a drawing has replaced; the latter is loaded only if an edit restores it. */
  originalMask: Rle | null;
  /** `made`: the row is new and has no id yet. `columns`: those of a stored row to be written. */
  changed: { made?: boolean; columns: Set<EditedColumn> };
}

export interface CategoryState {
  row: CategoryRow;
  /** True if the user may see and use the category. */
  seen: boolean;
  /** Ids of the batch's datasets that list the category. */
  datasets: Set<number>;
  /** Ids of the datasets to which the batch adds the category. */
  added: Set<number>;
  later: Later;
  changed: { row?: boolean; keypoints?: KeypointDefinition };
}

/** Changes of a subject after the base revision of an edit, oldest first. */
export interface Later {
  changes: (LaterChange & { revision: number; user: string; at: Date })[];
  /** Revision at the start of the batch. Later revisions come from the batch itself. */
  revision: number;
}
