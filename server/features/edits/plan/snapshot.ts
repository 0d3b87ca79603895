import type { LaterChange } from "../../../../shared/edits/merge";
import type { KeypointDefinition } from "../../../../shared/entities/keypoint";
import type { Metadata } from "../../../../shared/entities/scalars";
import type { Rle } from "../../../../shared/entities/shape";
import type { AnnotationRow, CategoryRow } from "../../../db/schema";

/**
 * The snapshot of a batch: what is stored of the images, annotations and categories it names, as one user may see it,
 * read under the locks of the images. Planning changes it in memory; what it marks as changed is then written.
 */
export interface Snapshot {
  images: Map<number, ImageState>;
  /** By uuid. Deleted ones are here too. */
  annotations: Map<string, AnnotationState>;
  categories: Map<number, CategoryState>;
  /** Outcomes of edits that were stored before, by the edit's uuid, with the client that sent them. */
  answered: Map<string, Answered>;
}

export interface Answered {
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
  metadata: Metadata;
  defaultMetadata: Metadata;
  /** Later changes of the image itself; unknown ones when the history has gaps. */
  later: Later;
  changed: { revision?: boolean; labels?: boolean; metadata?: boolean; count?: boolean };
}

export interface AnnotationState {
  row: AnnotationRow;
  /** True if history has a row of it, so that the values before an edit are known. */
  logged: boolean;
  later: Later;
  /** The mask it had before its shape was edited, where an edit asks for it back. */
  originalMask: Rle | null;
  /** `made`: the row is not stored yet and has no id. */
  changed: { made?: boolean; row?: boolean; shape?: boolean };
}

export interface CategoryState {
  row: CategoryRow;
  /** True if the user may see and use it. */
  seen: boolean;
  /** Datasets of the batch that list it. */
  datasets: Set<number>;
  /** Those to which using it adds it. */
  added: Set<number>;
  later: Later;
  changed: { row?: boolean; keypoints?: KeypointDefinition };
}

/** Changes of a subject after an edit's base, oldest first. */
export interface Later {
  changes: (LaterChange & { revision: number })[];
  /** Revision as it was when the batch began: what comes after is the batch's own. */
  revision: number;
}
