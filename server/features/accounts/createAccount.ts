import type { createUser } from "../../../shared/api/accounts/admin";
import type { BodyOf } from "../../../shared/api/protocol/call";
import type { CurrentUser } from "../../base/permissions";
import { hashPassword } from "../passwords/hash";
import type { Services } from "../services";
import { type AccountRow, requireStillAdmin } from "./account";
import { insertAccount } from "./insertAccount";
import { requirePasswordLength } from "./registerUser";
import { withAccountsLock } from "./withAccountsLock";

/** Creates an account on behalf of an admin. Throws 409 if the name is taken. */
export async function createAccount(
  { db, env }: Services,
  admin: CurrentUser,
  { username, password, name, email, isAdmin }: BodyOf<typeof createUser>,
): Promise<AccountRow> {
  requirePasswordLength(password, env, "password");
  const password_hash = await hashPassword(password);
  return withAccountsLock(db, async (trx) => {
    await requireStillAdmin(trx, admin);
    const values = { username, name: name ?? "", email: email ?? "", password_hash, is_admin: isAdmin ?? false };
    return { ...(await insertAccount(trx, values)), datasets: 0 };
  });
}
