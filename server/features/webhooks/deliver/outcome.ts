import { type Kysely, sql } from "kysely";
import type { DeliveryRow, Schema, WebhookRow } from "../../../db/schema";
import { transaction } from "../../../db/transaction";

/** Result of an attempt; `error` is null for a status from 200 to 299. */
export interface Attempt {
  status: number | null;
  error: string | null;
  milliseconds: number;
}

/** Number of failures in a row after which a webhook is switched off: about a day, see `restSeconds`. */
export const MAX_FAILURES = 60;

/** Returns the seconds for which a webhook rests after its n-th failure in a row: doubled up to half an hour. */
export const restSeconds = (failures: number): number => Math.min(5 * 2 ** (failures - 1), 1_800);

/** Returns the seconds to wait before the next attempt of a delivery, so that others get their turn first. */
export const retrySeconds = (attempts: number): number => Math.min(10 * 2 ** (attempts - 1), 3_600);

/**
 * Stores the outcome of an attempt, unless the lease was lost in the meantime. A failed delivery is tried again for a
 * day; the webhook rests, and is switched off after too many failures in a row.
 */
export function storeAttempt(
  db: Kysely<Schema>,
  worker: string,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  { status, error, milliseconds }: Attempt,
): Promise<void> {
  return transaction(db, async (trx) => {
    const own = await trx
      .selectFrom("webhooks")
      .select(["id", "failures"])
      .where("id", "=", webhook.id)
      .where("worker", "=", worker)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!own) return;
    const attempts = delivery.attempts + 1;
    const failures = error === null ? 0 : own.failures + 1;
    const isOver = sql<boolean>`(${error === null}::boolean or give_up_at <= now())`;
    await trx
      .updateTable("webhook_deliveries")
      .set({
        attempts,
        status,
        error,
        milliseconds,
        state: sql`case when ${error === null}::boolean then 'delivered' when give_up_at <= now() then 'failed'
          else 'pending' end`,
        finished_at: sql`case when ${isOver} then now() end`,
        next_at: sql`now() + make_interval(secs => ${error === null ? 0 : retrySeconds(attempts)}::int)`,
      })
      .where("id", "=", delivery.id)
      .execute();
    const isTooMany = failures >= MAX_FAILURES;
    if (failures > 0 || own.failures > 0)
      await trx
        .updateTable("webhooks")
        .set({
          failures,
          rest_until: failures === 0 ? null : sql`now() + make_interval(secs => ${restSeconds(failures)}::int)`,
          ...(isTooMany && {
            is_active: false,
            disabled_reason: `${failures} deliveries in a row have failed, the last one: ${error}`,
          }),
        })
        .where("id", "=", webhook.id)
        .execute();
  });
}
