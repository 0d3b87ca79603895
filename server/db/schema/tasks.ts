import type { Generated, JSONColumnType } from "kysely";
import type { Json } from "../../../shared/entities/scalars";
import type { WebhookEvent } from "../../../shared/entities/webhook";
import type { JsonColumn, MadeTime, Nullable, NullableJson } from "./columns";

export type TaskState = "queued" | "running" | "done" | "failed" | "cancelled";

export interface TasksTable {
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

export interface TaskLogsTable {
  task_id: number;
  line: number;
  level: "INFO" | "WARNING" | "ERROR";
  text: string;
  created_at: MadeTime;
}

export interface WebhooksTable {
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
export interface WebhookDeliveriesTable {
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
