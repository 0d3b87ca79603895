import { type Kysely, sql } from "kysely";
import type { Json } from "../../../../shared/entities/scalars";
import { readInstallation } from "../../../db/installation";
import type { DeliveryRow, Schema, WebhookRow } from "../../../db/schema";
import { taskDocument } from "../../tasks/taskDocument";

type Db = Kysely<Schema>;
type Facts = { [key: string]: Json };

/** Largest number of ids in each list of a body. */
const MAX_IDS = 1_000;

/**
 * Returns the JSON of an event; undefined if there is nothing to send: its image or task was deleted for good, or the
 * change concerned labels and metadata only.
 */
export async function eventBody(db: Db, webhook: WebhookRow, delivery: DeliveryRow): Promise<string | undefined> {
  const facts = await factsOf(db, delivery);
  if (!facts) return undefined;
  const dataset = await db
    .selectFrom("datasets")
    .select(["id", "name"])
    .where("id", "=", webhook.dataset_id)
    .executeTakeFirstOrThrow();
  const { id: installation } = await readInstallation(db);
  return JSON.stringify({
    id: delivery.event_id,
    event: delivery.event,
    created_at: delivery.created_at.toISOString(),
    installation,
    dataset,
    ...facts,
  });
}

function factsOf(db: Db, delivery: DeliveryRow): Promise<Facts | undefined> {
  switch (delivery.event) {
    case "image.done":
      return doneFacts(db, delivery);
    case "annotations.changed":
      return changeFacts(db, delivery);
    case "task.ended":
      return taskFacts(db, delivery);
    case "ping":
      return Promise.resolve({});
  }
}

async function doneFacts(db: Db, delivery: DeliveryRow): Promise<Facts | undefined> {
  const image = await imageOf(db, delivery);
  return image && { image: image.facts, done: delivery.is_done ?? false };
}

/**
 * Returns the annotations that were created, modified and deleted after `from_revision` up to `to_revision`, from the
 * history. Bulk changes and imports leave no history: then `complete` is false.
 */
async function changeFacts(db: Db, delivery: DeliveryRow): Promise<Facts | undefined> {
  const { image_id, from_revision, to_revision } = delivery;
  const image = await imageOf(db, delivery);
  if (!image) return undefined;
  const { rows } = await sql<{ id: number | null; actions: string[]; users: string[] }>`
    select a.id, array_agg(h.action order by h.revision) as actions, array_agg(distinct h.user_name) as users
    from edit_history h left join annotations a on a.uuid::text = h.subject_id
    where h.image_id = ${image_id} and h.image_revision > ${from_revision} and h.image_revision <= ${to_revision}
      and h.subject = 'annotation'
    group by a.id order by a.id`.execute(db);
  const complete = image.reload_revision <= (from_revision ?? 0);
  if (rows.length === 0 && complete) return undefined;
  const present = rows.flatMap(({ id, actions }) => (id === null ? [] : [{ id, ...outcomeOf(actions) }]));
  const idsWith = (action: string) => present.filter((each) => each.action === action).map(({ id }) => id);
  const lists = { created: idsWith("create"), modified: idsWith("modify"), deleted: idsWith("delete") };
  const isShort = Object.values(lists).every((ids) => ids.length <= MAX_IDS);
  return {
    image: image.facts,
    from_revision: from_revision ?? 0,
    to_revision: to_revision ?? 0,
    ...Object.fromEntries(Object.entries(lists).map(([name, ids]) => [name, ids.slice(0, MAX_IDS)])),
    complete: complete && isShort,
    users: [...new Set(rows.flatMap(({ users }) => users))].filter(Boolean),
  };
}

/** Returns the outcome of all changes of one annotation, oldest first. */
function outcomeOf(actions: string[]): { action: string } {
  if (actions.at(-1) === "delete") return { action: "delete" };
  return { action: actions.includes("create") ? "create" : "modify" };
}

async function imageOf(db: Db, { image_id }: DeliveryRow) {
  const row = await db
    .selectFrom("images")
    .select(["id", "path", "revision", "num_annotations", "done", "reload_revision"])
    .where("id", "=", image_id ?? 0)
    .executeTakeFirst();
  if (!row) return undefined;
  const { reload_revision, ...facts } = row;
  return { reload_revision, facts };
}

async function taskFacts(db: Db, { task_id }: DeliveryRow): Promise<Facts | undefined> {
  const row = await db
    .selectFrom("tasks")
    .leftJoin("users", "users.id", "tasks.creator_id")
    .selectAll("tasks")
    .select("users.username as creator")
    .where("tasks.id", "=", task_id ?? 0)
    .executeTakeFirst();
  return row && { task: taskDocument(row) };
}
