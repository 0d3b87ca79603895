import type { Generated, JSONColumnType } from "kysely";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Json, Metadata } from "../../../shared/entities/scalars";
import type { Bbox, Shape } from "../../../shared/entities/shape";
import type { Deletable, JsonColumn, MadeTime, Nullable, NullableJson, Time } from "./columns";

export interface AnnotationsTable extends Deletable {
  id: Generated<number>;
  uuid: Generated<string>;
  image_id: number;
  category_id: number;
  shape: NullableJson<Shape>;
  area: Generated<number>;
  bbox: JsonColumn<Bbox>;
  iscrowd: Generated<boolean>;
  isbbox: Generated<boolean>;
  color: string;
  metadata: JsonColumn<Metadata>;
  keypoints: NullableJson<Keypoint[]>;
  /** Null if a COCO file has none. */
  attributes: NullableJson<Metadata>;
  extra: NullableJson<{ [key: string]: Json }>;
  creator_id: Nullable<number>;
  creator_name: Generated<string>;
  milliseconds: Generated<number>;
  revision: Generated<number>;
  import_id: Nullable<number>;
  import_item: Nullable<number>;
  import_revision: Generated<number>;
  visible: Generated<boolean>;
  created_at: MadeTime;
}

export interface ImportsTable {
  id: Generated<number>;
  dataset_id: number;
  task_id: Nullable<number>;
  user_id: Nullable<number>;
  file_name: string;
  state: Generated<"running" | "complete" | "undone" | "failed">;
  report: JsonColumn<{ [key: string]: Json }>;
  created_at: MadeTime;
  undone_at: Nullable<Date>;
  undone_by: Nullable<number>;
  purged_at: Nullable<Date>;
}

export interface EditsTable {
  uuid: string;
  client: string;
  answer: JSONColumnType<{ [key: string]: Json }>;
  created_at: MadeTime;
}

export interface EditHistoryTable {
  id: Generated<number>;
  image_id: Nullable<number>;
  image_revision: Nullable<number>;
  subject: "annotation" | "image" | "category" | "comment";
  subject_id: string;
  revision: number;
  action: "create" | "modify" | "delete";
  fields: JSONColumnType<{ [key: string]: Json }>;
  edit: Nullable<string>;
  client: Nullable<string>;
  user_id: Nullable<number>;
  user_name: Generated<string>;
  created_at: MadeTime;
}

export interface WorkSessionsTable {
  uuid: string;
  user_id: Nullable<number>;
  image_id: number;
  annotation_uuid: Nullable<string>;
  started_at: Time;
  milliseconds: number;
  tools: JsonColumn<string[]>;
}

export interface SentScenesTable {
  id: string;
  user_id: number;
  client: string;
  image_id: number;
  revision: number;
  sent: JSONColumnType<{ [key: string]: Json }>;
  known: JsonColumn<{ [key: string]: Json }>;
  used_at: MadeTime;
  sent_at: MadeTime;
}
