import { type Kysely, sql, type Transaction } from "kysely";
import { conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";

/** Number of ids that a user may hold without using them, enough for fifty browsers. */
const MAX_HELD = 1_000;

/** Reserves ids of future categories for a user. Throws 409 if the user holds too many already. */
export async function reserveCategoryIds(db: Kysely<Schema>, user: CurrentUser, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into reserved_category_ids (id, user_id)
    select nextval(pg_get_serial_sequence('categories', 'id')), ${user.id}::integer from generate_series(1, ${count}::int)
    where (select count(*) from reserved_category_ids where user_id = ${user.id}::integer) < ${MAX_HELD}
    returning id`.execute(db);
  if (rows.length === 0) throw conflict("You have reserved too many category ids without using them.");
  return rows.map(({ id }) => id);
}

/** Ends the reservation of an id. Returns false if the user does not hold it. */
export async function takeReservedId(trx: Transaction<Schema>, user: CurrentUser, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("reserved_category_ids")
    .where("id", "=", id)
    .where("user_id", "=", user.id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
