import type { Kysely } from "kysely";
import { USERNAME } from "../../../shared/entities/accounts/user";
import { preparedStatement } from "../../db/preparedStatements";
import type { Schema, UserRow } from "../../db/schema";

/** Returns the user with this name, ignoring case. */
export async function userNamed(db: Kysely<Schema>, username: string): Promise<UserRow | undefined> {
  if (!USERNAME.test(username)) return undefined;
  return db
    .selectFrom("users")
    .selectAll()
    .where((eb) => eb(eb.fn("lower", ["username"]), "=", username.toLowerCase()))
    .modifyEnd(preparedStatement)
    .executeTakeFirst();
}
