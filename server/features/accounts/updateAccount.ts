import type { updateUser } from "../../../shared/api/accounts/admin";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { conflict } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { endSessionsOf } from "../access/sessions";
import { revokeTokensOf } from "../access/tokens";
import { forgetAddresses } from "../passwords/attempts";
import { hashPassword } from "../passwords/hash";
import type { Services } from "../services";
import {
  type AccountRow,
  accountById,
  accountNamed,
  hasOtherAdmin,
  requireSameAccount,
  requireStillAdmin,
} from "./account";
import { requirePasswordLength } from "./registerUser";
import { withAccountsLock } from "./withAccountsLock";

/**
 * Changes an account; fields that are absent or empty stay unchanged. A new password ends the account's sessions, API
 * tokens and sockets, since the old password may have been stolen. Throws 404, and 409 if no admin would be left.
 */
export async function updateAccount(
  { db, env, live }: Services,
  admin: CurrentUser,
  username: string,
  { id: seen, name, password, isAdmin }: BodyOf<typeof updateUser>,
): Promise<AccountRow> {
  if (password) requirePasswordLength(password, env, "password");
  const password_hash = password ? await hashPassword(password) : undefined;
  const { account, mustDisconnect } = await withAccountsLock(db, async (trx) => {
    await requireStillAdmin(trx, admin);
    const { id, is_admin } = await accountNamed(trx, username);
    requireSameAccount(id, seen);
    if (is_admin && isAdmin === false && !(await hasOtherAdmin(trx, id)))
      throw conflict("The last admin must keep the admin rights. Make another user admin first.");
    const change = {
      ...(name && { name }),
      ...(password_hash && { password_hash }),
      ...(isAdmin != null && { is_admin: isAdmin }),
    };
    if (Object.keys(change).length > 0) await trx.updateTable("users").set(change).where("id", "=", id).execute();
    if (password_hash) {
      await endSessionsOf(trx, id);
      await forgetAddresses(trx, id);
      await revokeTokensOf(trx, id);
    }
    const hasOtherRights = isAdmin != null && isAdmin !== is_admin;
    return { account: await accountById(trx, id), mustDisconnect: password_hash !== undefined || hasOtherRights };
  });
  if (mustDisconnect) live.disconnectUser(account.id);
  return account;
}
