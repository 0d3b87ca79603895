import type { Insertable, Transaction } from "kysely";
import { conflict } from "../../base/errors";
import type { Schema, UserRow } from "../../db/schema";
import { userNamed } from "../passwords/userNamed";

/** Inserts a new account. Throws 409 if the name is taken, ignoring case. Call it under the accounts' lock. */
export async function insertAccount(
  trx: Transaction<Schema>,
  values: Insertable<Schema["users"]> & { username: string },
): Promise<UserRow> {
  const taken = "Username already exists.";
  if (await userNamed(trx, values.username)) throw conflict(taken, { username: taken });
  return trx.insertInto("users").values(values).returningAll().executeTakeFirstOrThrow();
}
