import type { Kysely } from "kysely";
import type { BodyOf } from "../../shared/api/call";
import type { register } from "../../shared/api/user";
import type { Schema, UserRow } from "../db/schema";
import type { Env } from "../env";
import { badRequest, forbidden } from "../errors";
import { insertAccount } from "./accounts/insertAccount";
import { underLock } from "./accounts/underLock";
import { countUsers } from "./identity";
import { hashPassword } from "./passwords";

/**
 * Makes an account. One at a time on the whole installation: the first one is admin, and is allowed even where
 * registration is off. Throws 403 where it is off, 409 for a name that is taken in any case.
 */
export async function registerUser(db: Kysely<Schema>, env: Env, input: BodyOf<typeof register>): Promise<UserRow> {
  requirePasswordLength(input.password, env, "password");
  const password_hash = await hashPassword(input.password);
  return underLock(db, async (trx) => {
    const isFirst = (await countUsers(trx)) === 0;
    if (!isFirst && !env.ALLOW_REGISTRATION) throw forbidden("Registration of new accounts is disabled.");
    return insertAccount(trx, {
      username: input.username,
      name: input.name ?? "",
      email: input.email ?? "",
      password_hash,
      is_admin: isFirst,
      last_seen: new Date(),
    });
  });
}

export function requirePasswordLength(password: string, env: Pick<Env, "PASSWORD_MIN">, field: string): void {
  if ([...password].length >= env.PASSWORD_MIN) return;
  const message = `Minimum length of ${env.PASSWORD_MIN} characters.`;
  throw badRequest(message, { [field]: message });
}
