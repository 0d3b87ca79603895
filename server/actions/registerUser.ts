import { type Kysely, sql } from "kysely";
import type { BodyOf } from "../../shared/api/call";
import type { register } from "../../shared/api/user";
import type { Schema, UserRow } from "../db/schema";
import { transaction } from "../db/transaction";
import type { Env } from "../env";
import { badRequest, conflict, forbidden } from "../errors";
import { countUsers } from "./identity";
import { hashPassword, userNamed } from "./passwords";

/** Any number that no other lock has. */
const REGISTRATION_LOCK = 4_711_001;

/**
 * Makes an account. One at a time on the whole installation: the first one is admin, and is allowed even where
 * registration is off. Throws 403 where it is off, 409 for a name that is taken in any case.
 */
export async function registerUser(db: Kysely<Schema>, env: Env, input: BodyOf<typeof register>): Promise<UserRow> {
  requirePasswordLength(input.password, env, "password");
  const password_hash = await hashPassword(input.password);
  return transaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(REGISTRATION_LOCK)})`.execute(trx);
    const isFirst = (await countUsers(trx)) === 0;
    if (!isFirst && !env.ALLOW_REGISTRATION) throw forbidden("Registration of new accounts is disabled.");
    if (await userNamed(trx, input.username)) throw usernameTaken();
    return trx
      .insertInto("users")
      .values({
        username: input.username,
        name: input.name ?? "",
        email: input.email ?? "",
        password_hash,
        is_admin: isFirst,
        last_seen: new Date(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

export function requirePasswordLength(password: string, env: Pick<Env, "PASSWORD_MIN">, field: string): void {
  if ([...password].length >= env.PASSWORD_MIN) return;
  const message = `Minimum length of ${env.PASSWORD_MIN} characters.`;
  throw badRequest(message, { [field]: message });
}

const usernameTaken = () => conflict("Username already exists.", { username: "Username already exists." });
