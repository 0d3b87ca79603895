import type { ColumnType, Generated, Insertable, JSONColumnType, Selectable } from "kysely";
import type { AttributeDefinition } from "../../shared/entities/attribute";
import type { QueueOrder } from "../../shared/entities/dataset";
import type { VersionCategory } from "../../shared/entities/export";
import type { Stage } from "../../shared/entities/image";
import type { Keypoint, KeypointDefinition } from "../../shared/entities/keypoint";
import type { MemberRole } from "../../shared/entities/member";
import type { Json, Metadata } from "../../shared/entities/scalars";
import type { Bbox, Shape } from "../../shared/entities/shape";
import type { WebhookEvent } from "../../shared/entities/webhook";

/**
 * The tables as Kysely sees them; migrations/ creates them. JSON columns are read as values and written as text, always
 * with `JSON.stringify`, since pg would turn an array into a PostgreSQL array. A test compares these types with the
 * tables.
 */
export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  api_tokens: ApiTokensTable;
  datasets: DatasetsTable;
  dataset_members: { dataset_id: number; user_id: number; role: Generated<MemberRole> };
  dataset_categories: { dataset_id: number; category_id: number };
  categories: CategoriesTable;
  reserved_category_ids: { id: number; user_id: number };
  images: ImagesTable;
  tasks: TasksTable;
  task_logs: TaskLogsTable;
  task_followers: { task_id: number; user_id: number };
  imports: ImportsTable;
  annotations: AnnotationsTable;
  clients: ClientsTable;
  edits: EditsTable;
  edit_history: EditHistoryTable;
  work_sessions: WorkSessionsTable;
  exports: ExportsTable;
  versions: VersionsTable;
  installation: InstallationTable;
  sent_scenes: SentScenesTable;
  attempts: AttemptsTable;
  known_addresses: KnownAddressesTable;
  commands: CommandsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  migrated_rows: MigratedRowsTable;
  comments: CommentsTable;
  comment_reads: { user_id: number; thread: string; read_until: Time };
}

type Time = ColumnType<Date, Date | string, Date | string>;
type MadeTime = ColumnType<Date, Date | string | undefined, never>;
type JsonColumn<T> = ColumnType<T, string | undefined, string>;
/** A column that the database fills by itself. */
type FilledColumn = ColumnType<string, never, never>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
type Deletable = {
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  deleted_by: Nullable<number>;
};
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

interface UsersTable {
  id: Generated<number>;
  username: string;
  name: Generated<string>;
  email: Generated<string>;
  password_hash: Nullable<string>;
  is_admin: Generated<boolean>;
  preferences: JsonColumn<Metadata>;
  created_at: MadeTime;
  last_seen: Nullable<Date>;
  closed_at: Nullable<Date>;
}

interface SessionsTable {
  id: string;
  user_id: number;
  created_at: MadeTime;
  expires_at: Time;
}

interface AttemptsTable {
  key: string;
  level: number;
  forget_seconds: number;
  counted_at: Time;
}

interface KnownAddressesTable {
  key: string;
  user_id: number;
  seen_at: Time;
}

/** See middleware/doOnce.ts. */
interface CommandsTable {
  key: string;
  holder: string;
  until: Time;
  is_committed: Generated<boolean>;
  outcome: Nullable<string>;
}

interface ApiTokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  prefix: string;
  hash: string;
  created_at: MadeTime;
  last_used: Nullable<Date>;
  expires_at: Nullable<Date>;
}

interface DatasetsTable extends Deletable {
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

interface CategoriesTable extends Deletable {
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

interface ImagesTable extends Deletable {
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

export type TaskState = "queued" | "running" | "done" | "failed" | "cancelled";

interface TasksTable {
  id: Generated<number>;
  kind: string;
  name: string;
  key: string;
  payload: JsonColumn<{ [key: string]: Json }>;
  state: Generated<TaskState>;
  progress: Generated<number>;
  warnings: Generated<number>;
  errors: Generated<number>;
  result: NullableJson<Json>;
  creator_id: Nullable<number>;
  dataset_id: Nullable<number>;
  worker: Nullable<string>;
  attempts: Generated<number>;
  lease_until: Nullable<Date>;
  cancel_requested: Generated<boolean>;
  created_at: MadeTime;
  started_at: Nullable<Date>;
  finished_at: Nullable<Date>;
}

interface TaskLogsTable {
  task_id: number;
  line: number;
  level: "INFO" | "WARNING" | "ERROR";
  text: string;
  created_at: MadeTime;
}

interface ImportsTable {
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

interface AnnotationsTable extends Deletable {
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

interface ClientsTable {
  id: string;
  user_id: Nullable<number>;
  created_at: MadeTime;
}

interface EditsTable {
  uuid: string;
  client: string;
  answer: JSONColumnType<{ [key: string]: Json }>;
  created_at: MadeTime;
}

interface EditHistoryTable {
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

interface WorkSessionsTable {
  uuid: string;
  user_id: Nullable<number>;
  image_id: number;
  annotation_uuid: Nullable<string>;
  started_at: Time;
  milliseconds: number;
  tools: JsonColumn<string[]>;
}

interface ExportsTable {
  id: Generated<number>;
  dataset_id: number;
  task_id: Nullable<number>;
  file: string;
  bytes: number;
  tags: JsonColumn<string[]>;
  created_at: MadeTime;
}

/** A named moment of a dataset, kept as a file: see features/versions. */
interface VersionsTable {
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

/** One row, see db/installation.ts. */
interface InstallationTable {
  one: Generated<boolean>;
  id: Generated<string>;
  origin: "new" | "updated" | "restored";
  stamp: string;
}

interface SentScenesTable {
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

interface WebhooksTable {
  id: Generated<number>;
  dataset_id: number;
  url: string;
  secret: string;
  events: JSONColumnType<WebhookEvent[]>;
  is_active: Generated<boolean>;
  disabled_reason: Nullable<string>;
  failures: Generated<number>;
  rest_until: Nullable<Date>;
  worker: Nullable<string>;
  lease_until: Nullable<Date>;
  created_at: MadeTime;
}

/** Filled by triggers on images and tasks: see migration 34. */
interface WebhookDeliveriesTable {
  id: Generated<number>;
  event_id: Generated<string>;
  webhook_id: number;
  event: WebhookEvent | "ping";
  image_id: Nullable<number>;
  task_id: Nullable<number>;
  from_revision: Nullable<number>;
  to_revision: Nullable<number>;
  is_done: Nullable<boolean>;
  xact: Nullable<number>;
  state: Generated<"pending" | "delivered" | "failed">;
  attempts: Generated<number>;
  next_at: Generated<Date>;
  give_up_at: Generated<Date>;
  body: Nullable<string>;
  status: Nullable<number>;
  error: Nullable<string>;
  milliseconds: Nullable<number>;
  created_at: MadeTime;
  finished_at: Nullable<Date>;
}

/** See features/migration/store/source.ts. */
interface MigratedRowsTable {
  source: string;
  collection: string;
  old_id: string;
  new_id: number;
  details: JsonColumn<{ [key: string]: Json }>;
}

interface CommentsTable {
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

export type CommentRow = Selectable<CommentsTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<WebhookDeliveriesTable>;
export type UserRow = Selectable<UsersTable>;
export type DatasetRow = Selectable<DatasetsTable>;
export type CategoryRow = Selectable<CategoriesTable>;
export type ImageRow = Selectable<ImagesTable>;
export type NewImageRow = Insertable<ImagesTable>;
export type TaskRow = Selectable<TasksTable>;
export type AnnotationRow = Selectable<AnnotationsTable>;
