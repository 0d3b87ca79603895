import { type Kysely, sql } from "kysely";
import type { WebhookDelivery } from "../../../shared/entities/webhook";
import { notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { DeliveryRow, Schema } from "../../db/schema";
import { managedWebhook, type WebhookPlace } from "./webhooks";

type Db = Kysely<Schema>;

/** Lists deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  user: CurrentUser,
  place: WebhookPlace,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<WebhookDelivery[]> {
  const { webhookId } = await managedWebhook(db, user, place);
  const rows = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(deliveryDocument);
}

/** Stores a delivery of the event `ping`. */
export async function pingWebhook(db: Db, user: CurrentUser, place: WebhookPlace): Promise<WebhookDelivery> {
  const { webhookId } = await managedWebhook(db, user, place);
  const row = await db
    .insertInto("webhook_deliveries")
    .values({ webhook_id: webhookId, event: "ping" })
    .returningAll()
    .executeTakeFirstOrThrow();
  return deliveryDocument(row);
}

/** Makes a delivery pending again, for a day. A pending one is due at once. */
export async function repeatDelivery(
  db: Db,
  user: CurrentUser,
  place: WebhookPlace,
  deliveryId: number,
): Promise<WebhookDelivery> {
  const { webhookId } = await managedWebhook(db, user, place);
  const row = await db
    .updateTable("webhook_deliveries")
    .set({
      state: "pending",
      attempts: 0,
      xact: null,
      finished_at: null,
      next_at: sql<Date>`now()`,
      give_up_at: sql<Date>`now() + interval '1 day'`,
    })
    .where("webhook_id", "=", webhookId)
    .where("id", "=", deliveryId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound("Invalid delivery id");
  await db.updateTable("webhooks").set({ rest_until: null }).where("id", "=", webhookId).execute();
  return deliveryDocument(row);
}

const deliveryDocument = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event_id: row.event_id,
  event: row.event,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  milliseconds: row.milliseconds,
  body: row.body,
  created_at: row.created_at.toISOString(),
  next_at: row.state === "pending" ? row.next_at.toISOString() : null,
  finished_at: row.finished_at?.toISOString() ?? null,
});
