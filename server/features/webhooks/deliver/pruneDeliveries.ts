import { type Kysely, sql } from "kysely";
import type { Schema } from "../../../db/schema";

/** Rows per statement, few enough for a short statement on the embedded database. */
const PAGE = 1_000;

/** Deletes finished deliveries older than seven days, and pending ones of webhooks that are switched off. */
export async function pruneDeliveries(db: Kysely<Schema>): Promise<void> {
  const statement = sql`
    delete from webhook_deliveries where id in (
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.created_at < now() - interval '7 days' and (d.state <> 'pending' or not w.is_active)
      order by d.created_at limit ${PAGE})`;
  while (Number((await statement.execute(db)).numAffectedRows ?? 0) === PAGE);
}
