import { randomBytes } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import type { createWebhook as createCall, updateWebhook as updateCall } from "../../../shared/api/datasets/webhooks";
import type { BodyOf } from "../../../shared/api/protocol/call";
import {
  WEBHOOK_EVENTS,
  WEBHOOK_SECRET_PREFIX,
  type Webhook,
  type WebhookEvent,
} from "../../../shared/entities/webhook";
import { badRequest, conflict, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema, WebhookRow } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { OutsideError } from "../../outside/outsideError";
import { checkedUrl, isNotPublic } from "../../outside/sendRequest";
import { managedDataset } from "../access/access";
import type { Services } from "../services";

/**
 * Webhooks of a dataset, for its owner and admins. Their secrets can be set but not read: the deliverer needs them to
 * sign.
 */
const MAX_WEBHOOKS = 10;
export const NO_WEBHOOKS = "You do not have permission to see the webhooks of this dataset";

type Db = Kysely<Schema>;
type Tools = Pick<Services, "db" | "env">;

/** Selects the webhooks of a dataset with the number of their pending deliveries. */
const webhooksOf = (db: Db, datasetId: number) =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("webhook_deliveries")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("webhook_deliveries.webhook_id", "=", "webhooks.id")
        .where("webhook_deliveries.state", "=", "pending")
        .as("pending"),
    )
    .where("dataset_id", "=", datasetId);

export async function listWebhooks(db: Db, user: CurrentUser, datasetId: number): Promise<Webhook[]> {
  const dataset = await managedDataset(db, user, datasetId, NO_WEBHOOKS);
  const rows = await webhooksOf(db, dataset.id).orderBy("id").execute();
  return rows.map(webhookDocument);
}

const webhookDocument = (row: WebhookRow & { pending: number | null }): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  active: row.is_active,
  disabled_reason: row.disabled_reason,
  failures: row.failures,
  pending: row.pending ?? 0,
  created_at: row.created_at.toISOString(),
});

/** Adds a webhook. Returns the secret only if the server has chosen it. Throws 409 at the limit. */
export async function createWebhook(
  { db, env }: Tools,
  user: CurrentUser,
  datasetId: number,
  { url, events, secret }: BodyOf<typeof createCall>,
): Promise<Webhook & { secret: string | null }> {
  const dataset = await managedDataset(db, user, datasetId, NO_WEBHOOKS);
  requireAllowed(url, env.WEBHOOKS_PRIVATE);
  const chosen = secret ?? WEBHOOK_SECRET_PREFIX + randomBytes(32).toString("base64url");
  const id = await transaction(db, async (trx) => {
    await sql`select from datasets where id = ${dataset.id} for update`.execute(trx);
    const present = await trx.selectFrom("webhooks").select("id").where("dataset_id", "=", dataset.id).execute();
    if (present.length >= MAX_WEBHOOKS)
      throw conflict(`A dataset can have ${MAX_WEBHOOKS} webhooks. Delete one first.`);
    const row = await trx
      .insertInto("webhooks")
      .values({ dataset_id: dataset.id, url, events: JSON.stringify(events), secret: chosen })
      .returning("id")
      .executeTakeFirstOrThrow();
    return row.id;
  });
  return { ...(await oneWebhook(db, dataset.id, id)), secret: secret === undefined ? chosen : null };
}

/**
 * Changes a webhook. Switching it on starts without the failures so far. Throws 409 if no event would be left, because
 * another user has removed others.
 */
export async function updateWebhook(
  { db, env }: Tools,
  user: CurrentUser,
  place: WebhookPlace,
  { url, events, add_events: added = [], remove_events: removed = [], secret, active }: BodyOf<typeof updateCall>,
): Promise<Webhook> {
  const { id, webhookId } = await managedWebhook(db, user, place);
  if (url !== undefined) requireAllowed(url, env.WEBHOOKS_PRIVATE);
  await transaction(db, async (trx) => {
    const isChange = added.length > 0 || removed.length > 0;
    const left = isChange ? changedEvents(await lockedEvents(trx, webhookId), added, removed) : events;
    if (left?.length === 0) throw conflict("A webhook has at least one event. Another user has removed the others.");
    await trx
      .updateTable("webhooks")
      .set({
        ...(url !== undefined && { url }),
        ...(left && { events: JSON.stringify(left) }),
        ...(secret !== undefined && { secret }),
        ...(active !== undefined && { is_active: active, disabled_reason: null }),
        ...((active || url !== undefined) && { failures: 0, rest_until: null }),
        // A statement needs at least one column.
        dataset_id: sql`dataset_id`,
      })
      .where("id", "=", webhookId)
      .execute();
  });
  return oneWebhook(db, id, webhookId);
}

/** Returns a webhook's events, which no other transaction changes meanwhile; none if the webhook was deleted. */
async function lockedEvents(trx: Transaction<Schema>, webhookId: number): Promise<readonly WebhookEvent[] | undefined> {
  const row = await trx
    .selectFrom("webhooks")
    .select("events")
    .where("id", "=", webhookId)
    .forUpdate()
    .executeTakeFirst();
  return row?.events;
}

const changedEvents = (
  present: readonly WebhookEvent[] | undefined,
  added: readonly WebhookEvent[],
  removed: readonly WebhookEvent[],
): WebhookEvent[] | undefined =>
  present && WEBHOOK_EVENTS.filter((event) => !removed.includes(event) && [...present, ...added].includes(event));

export async function deleteWebhook(db: Db, user: CurrentUser, place: WebhookPlace): Promise<void> {
  const { webhookId } = await managedWebhook(db, user, place);
  await db.deleteFrom("webhooks").where("id", "=", webhookId).execute();
}

/** Ids of a dataset and of one of its webhooks. */
export interface WebhookPlace {
  id: number;
  webhookId: number;
}

/** Returns the place if the user may change the webhook. Throws 403 for members below maintainer and 404 for others. */
export async function managedWebhook(
  db: Db,
  user: CurrentUser,
  { id, webhookId }: WebhookPlace,
): Promise<WebhookPlace> {
  const dataset = await managedDataset(db, user, id, NO_WEBHOOKS);
  const row = await db
    .selectFrom("webhooks")
    .select("id")
    .where("dataset_id", "=", dataset.id)
    .where("id", "=", webhookId)
    .executeTakeFirst();
  if (!row) throw notFound("Invalid webhook id");
  return { id: dataset.id, webhookId: row.id };
}

async function oneWebhook(db: Db, datasetId: number, webhookId: number): Promise<Webhook> {
  const row = await webhooksOf(db, datasetId).where("id", "=", webhookId).executeTakeFirst();
  if (!row) throw notFound("Invalid webhook id");
  return webhookDocument(row);
}

/** Throws 400 for an address that would be refused at delivery. Names are resolved, and then checked, at delivery. */
function requireAllowed(address: string, allowPrivate: boolean): void {
  const { username, password } = new URL(address);
  if (username || password)
    throw badRequest("The address of a webhook has no user name and password: receivers check the signature.");
  try {
    if (allowPrivate || !isNotPublic(checkedUrl(address))) return;
  } catch (error) {
    if (error instanceof OutsideError) throw badRequest(`The webhook cannot be used: ${error.message}.`);
    throw error;
  }
  throw badRequest("The webhook's address is not on the public internet. An operator can allow it (WEBHOOKS_PRIVATE).");
}
