import type { Generated } from "kysely";
import type { AttributeDefinition } from "../../../shared/entities/attribute";
import type { QueueOrder } from "../../../shared/entities/dataset";
import type { VersionCategory } from "../../../shared/entities/export";
import type { Stage } from "../../../shared/entities/image";
import type { KeypointDefinition } from "../../../shared/entities/keypoint";
import type { Json, Metadata } from "../../../shared/entities/scalars";
import type { Bbox } from "../../../shared/entities/shape";
import type { Deletable, FilledColumn, JsonColumn, MadeTime, Nullable, NullableJson, Time } from "./columns";

export interface DatasetsTable extends Deletable {
  id: Generated<number>;
  name: string;
  folder: string;
  owner_id: Nullable<number>;
  annotate_url: Generated<string>;
  default_annotation_metadata: JsonColumn<Metadata>;
  created_at: MadeTime;
  purged_at: Nullable<Date>;
  /** Last change of its images or annotations; null before the first. See features/images/noteActivity.ts. */
  edited_at: Nullable<Date>;
  edited_by: Nullable<number>;
  /** True if images that are marked as done wait for a reviewer. */
  review: Generated<boolean>;
  queue_order: Generated<QueueOrder>;
  /** True if the queue gives users only images that are assigned to them. */
  queue_assigned_only: Generated<boolean>;
}

export interface CategoriesTable extends Deletable {
  id: Generated<number>;
  name: string;
  supercategory: Generated<string>;
  color: string;
  metadata: JsonColumn<Metadata>;
  keypoints: JsonColumn<KeypointDefinition>;
  attributes: JsonColumn<AttributeDefinition[]>;
  creator_id: Nullable<number>;
  creator_name: Generated<string>;
  revision: Generated<number>;
  created_at: MadeTime;
}

export interface ImagesTable extends Deletable {
  id: Generated<number>;
  dataset_id: number;
  path: string;
  folder: string;
  file_name: string;
  search_name: FilledColumn;
  name_key: FilledColumn;
  path_key: FilledColumn;
  width: number;
  height: number;
  mime: string;
  orientation: Generated<number>;
  bytes: number;
  modified_ms: number;
  hash: string;
  metadata: JsonColumn<Metadata>;
  labels: Generated<number[]>;
  categories: Generated<number[]>;
  extra: JsonColumn<{ [key: string]: Json }>;
  annotated: Generated<boolean>;
  /** True in the stages to_review and accepted, which a constraint ensures. */
  done: Generated<boolean>;
  stage: Generated<Stage>;
  returned_by: Nullable<string>;
  returned_at: Nullable<Date>;
  assignee_id: Nullable<number>;
  num_annotations: Generated<number>;
  milliseconds: Generated<number>;
  /** Number of threads of comments that are not resolved. */
  open_threads: Generated<number>;
  revision: Generated<number>;
  reload_revision: Generated<number>;
  created_at: MadeTime;
}

export interface CommentsTable {
  id: Generated<number>;
  uuid: string;
  image_id: number;
  /** Uuid of the thread's first comment; null for that comment. */
  thread: Nullable<string>;
  annotation_uuid: Nullable<string>;
  box: NullableJson<Bbox>;
  x: Nullable<number>;
  y: Nullable<number>;
  text: string;
  /** Ids of the mentioned users who may see the dataset. */
  mentions: Generated<number[]>;
  user_id: Nullable<number>;
  user_name: string;
  revision: Generated<number>;
  created_at: Time;
  edited_at: Nullable<Date>;
  resolved_at: Nullable<Date>;
  resolved_by: Nullable<string>;
  deleted_at: Nullable<Date>;
}

export interface ExportsTable {
  id: Generated<number>;
  dataset_id: number;
  task_id: Nullable<number>;
  file: string;
  bytes: number;
  tags: JsonColumn<string[]>;
  created_at: MadeTime;
}

/** A named moment of a dataset, kept as a file: see features/versions. */
export interface VersionsTable {
  id: Generated<number>;
  dataset_id: number;
  task_id: Nullable<number>;
  name: string;
  note: string;
  /** Names of two compressed files among the exports: the COCO file, and the list of its entries. */
  file: string;
  entries_file: string;
  /** Length of the COCO file, not compressed, and its SHA-256. */
  bytes: number;
  sha256: string;
  images: number;
  annotations: number;
  /** Categories by name, with their numbers of annotations. */
  categories: JsonColumn<VersionCategory[]>;
  creator_name: string;
  created_at: MadeTime;
}
