import type { Kysely } from "kysely";
import type { register } from "../../../shared/api/accounts/user";
import type { BodyOf } from "../../../shared/api/protocol/call";
import type { Env } from "../../base/env";
import { badRequest, forbidden } from "../../base/errors";
import type { Schema, UserRow } from "../../db/schema";
import { countUsers } from "../access/identity";
import { countRegistration, noteSuccess } from "../passwords/attempts";
import { countedAddress } from "../passwords/clientAddress";
import { hashPassword } from "../passwords/hash";
import { loginKeys } from "../passwords/limits";
import type { Services } from "../services";
import { insertAccount } from "./insertAccount";
import { withAccountsLock } from "./withAccountsLock";

/**
 * Registers a new account, one at a time on the whole installation. The first account becomes admin, and may register
 * even if registration is disabled. Throws 403 if registration is disabled, 429 after too many registrations from one
 * address, and 409 if the name is taken, ignoring case.
 */
export async function registerUser(
  { db, env }: Pick<Services, "db" | "env">,
  input: BodyOf<typeof register>,
  address: string,
): Promise<UserRow> {
  requirePasswordLength(input.password, env, "password");
  const isCounted = !(await mayBeFirst(db, env));
  if (isCounted) await countRegistration(db, address);
  const password_hash = await hashPassword(input.password, countedAddress(address));
  const user = await withAccountsLock(db, async (trx) => {
    const isFirst = await mayBeFirst(trx, env);
    if (!isFirst && !isCounted) await countRegistration(trx, address);
    return insertAccount(trx, {
      username: input.username,
      name: input.name ?? "",
      email: input.email ?? "",
      password_hash,
      is_admin: isFirst,
      last_seen: new Date(),
    });
  });
  await noteSuccess(db, loginKeys(user.username, address), user.id, { hasFailed: false });
  return user;
}

/** Returns true if there are no accounts yet. Throws 403 if there are accounts and registration is disabled. */
async function mayBeFirst(db: Kysely<Schema>, env: Pick<Env, "ALLOW_REGISTRATION">): Promise<boolean> {
  const isFirst = (await countUsers(db)) === 0;
  if (!isFirst && !env.ALLOW_REGISTRATION) throw forbidden("Registration of new accounts is disabled.");
  return isFirst;
}

/** Throws 400 for `field` if the password is shorter than PASSWORD_MIN characters. */
export function requirePasswordLength(password: string, env: Pick<Env, "PASSWORD_MIN">, field: string): void {
  if ([...password].length >= env.PASSWORD_MIN) return;
  const message = `Minimum length of ${env.PASSWORD_MIN} characters.`;
  throw badRequest(message, { [field]: message });
}
