import type { Generated, Insertable, Selectable } from "kysely";
import type { MemberRole } from "../../shared/entities/member";
import type {
  ApiTokensTable,
  AttemptsTable,
  ClientsTable,
  KnownAddressesTable,
  SessionsTable,
  UsersTable,
} from "./schema/accounts";
import type {
  AnnotationsTable,
  EditHistoryTable,
  EditsTable,
  ImportsTable,
  SentScenesTable,
  WorkSessionsTable,
} from "./schema/annotations";
import type { Time } from "./schema/columns";
import type {
  CategoriesTable,
  CommentsTable,
  DatasetsTable,
  ExportsTable,
  ImagesTable,
  VersionsTable,
} from "./schema/datasets";
import type { CommandsTable, InstallationTable, MigratedRowsTable } from "./schema/installation";
import type { TaskLogsTable, TasksTable, WebhookDeliveriesTable, WebhooksTable } from "./schema/tasks";

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
