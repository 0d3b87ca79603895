import { type Kysely, sql } from "kysely";
import type { DeliveryRow, Schema, WebhookRow } from "../../../db/schema";

/**
 * Leases on webhooks, as tasks have them (server/queue/claim.ts): one of all processes delivers a webhook's events, one
 * after another. If the process dies, another continues after the lease has expired, and repeats the event whose
 * outcome was not stored.
 */
export const LEASE_SECONDS = 30;
const leaseEnd = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;

/** True for an expired lease, and for one that ends later than any new one would, since the clock was set back. */
const isFree = sql<boolean>`(lease_until is null or lease_until < now()
  or lease_until > now() + make_interval(secs => ${sql.lit(2 * LEASE_SECONDS)}))`;

type Db = Kysely<Schema>;

/** Claims a webhook that has a due delivery and no other worker. Concurrent callers get different ones. */
export function claimWebhook(db: Db, worker: string): Promise<WebhookRow | undefined> {
  return db
    .updateTable("webhooks")
    .set({ worker, lease_until: leaseEnd })
    .where("id", "=", (eb) =>
      eb
        .selectFrom("webhooks as w")
        .select("w.id")
        .where("is_active", "=", true)
        .where(sql<boolean>`(rest_until is null or rest_until <= now())`)
        .where(isFree)
        .where(sql<boolean>`exists (select from webhook_deliveries d
          where d.webhook_id = w.id and d.state = 'pending' and d.next_at <= now())`)
        // In any order, so that a webhook with many deliveries does not always come first.
        .orderBy(sql`random()`)
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Renews the lease, and returns the webhook as it is now; undefined if it was lost, switched off or deleted. */
export function renewLease(db: Db, worker: string, webhookId: number): Promise<WebhookRow | undefined> {
  return db
    .updateTable("webhooks")
    .set({ lease_until: leaseEnd })
    .where("id", "=", webhookId)
    .where("worker", "=", worker)
    .where("is_active", "=", true)
    .where(sql<boolean>`(rest_until is null or rest_until <= now())`)
    .returningAll()
    .executeTakeFirst();
}

export async function releaseWebhook(db: Db, worker: string, webhookId: number): Promise<void> {
  await db
    .updateTable("webhooks")
    .set({ worker: null, lease_until: null })
    .where("id", "=", webhookId)
    .where("worker", "=", worker)
    .execute();
}

/** Ends all leases. Called when the only process of a database starts: a dead process has left them. */
export async function releaseAll(db: Db): Promise<void> {
  await db.updateTable("webhooks").set({ worker: null, lease_until: null }).where("worker", "is not", null).execute();
}

/** Returns the due delivery of a webhook that has waited the longest. */
export function nextDelivery(db: Db, webhookId: number): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("state", "=", "pending")
    .where("next_at", "<=", sql<Date>`now()`)
    .where("webhook_id", "=", webhookId)
    .orderBy("next_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}
