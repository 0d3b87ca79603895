import type { CopiedScene, ManifestCategory, ManifestImage } from "../../../shared/api/offline";
import type { Dataset, DatasetPermissions } from "../../../shared/entities/dataset";
import type { Metadata } from "../../../shared/entities/scalars";

/** Rows of a copy's database (CopyStore). */

/**
 * The form of the image files: `original` is the stored file; `display` is reduced so that width and height are at most
 * DISPLAY_SIDE pixels.
 */
export type FileForm = "original" | "display";
export const DISPLAY_SIDE = 2048;

/** The user's choice for a dataset. `ids` are the chosen images, or null for all, now and in the future. */
export interface Choice {
  form: FileForm;
  ids: number[] | null;
}

/**
 * `waiting`: chosen, nothing is being downloaded at present. `running`: a tab downloads. `paused`: by the user.
 * `failed`: see `problem`. `complete`: everything chosen is here, as of `syncedAt`.
 */
export type CopyState = "waiting" | "running" | "paused" | "failed" | "complete";

export interface DatasetRow {
  id: number;
  dataset: Dataset & { permissions: DatasetPermissions };
  categories: ManifestCategory[];
  preferences: Metadata;
  /** Null: the dataset is here only because some of its images were opened. */
  choice: Choice | null;
  state: CopyState;
  /** Shown to the user if the state is `failed`. */
  problem: string | null;
  /** Time of the last complete update, in milliseconds since 1970; null before the first. */
  syncedAt: number | null;
}

/** One image of a dataset in the copy. A chosen dataset has a row for each of its images, also those not chosen. */
export interface ImageRow extends ManifestImage {
  dataset_id: number;
  /**
   * Revision of the scene that was downloaded last, -1 if the image was only opened; null if there is no scene. If it is
   * below `revision`, the scene is outdated, acknowledged edits have changed it since, or it was opened, which brings
   * less than a download; the next update requests the scene again.
   */
  sceneRevision: number | null;
  /** Form, hash of the stored file and size in bytes of the file in the copy; null if there is none. */
  file: { form: FileForm; hash: string; bytes: number } | null;
  /** Time when the image was last opened, in milliseconds since 1970; 0 if never. */
  usedAt: number;
}

export interface SceneRow extends CopiedScene {
  image_id: number;
}

export interface FileRow {
  image_id: number;
  blob: Blob;
}

/** A file of which a part has arrived. `tag` is the ETag of the response. */
export interface PartRow extends FileRow {
  tag: string;
}

/** Progress of a chosen dataset, in its own table because it changes with every file. */
export interface ProgressRow {
  id: number;
  name: string;
  /** Number of chosen images, and number of chosen images whose scene and file are in this browser. */
  images: { total: number; here: number };
  /** Bytes of the files of these images. In the form `display`, the size of a missing file is estimated. */
  bytes: { total: number; here: number };
  /**
   * Message for the user if the dataset was deleted or is no longer accessible, and its other data were removed from
   * this browser; otherwise null.
   */
  gone: string | null;
}

/** `recentLimit` in bytes; `categoryIds`: ids that the server has reserved for categories made in this browser. */
export type SettingRow = { key: "recentLimit"; value: number } | { key: "categoryIds"; value: number[] };

/** Default limit for images kept because they were opened, in bytes. */
export const RECENT_LIMIT = 500_000_000;
