import type { Kysely } from "kysely";
import { conflict } from "../../base/errors";
import type { Schema, UserRow } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { endSessionsOf, startSession } from "../access/sessions";
import { revokeTokensOf } from "../access/tokens";
import { forgetAddresses } from "../passwords/attempts";

interface NewPassword {
  /** Hash of the new password. */
  hash: string;
  /** True to revoke the API tokens as well; otherwise scripts keep working. */
  endTokens: boolean;
  /** True to start a new session, so that a user who changes the password in a browser stays logged in. */
  wantsSession: boolean;
}

/**
 * Stores a user's new password and ends all sessions in one transaction, so that no session of the old password stays
 * open. Returns the token of a new session, if wanted. Throws 409 if the password has changed since it was checked.
 */
export function changePassword(
  db: Kysely<Schema>,
  user: UserRow,
  { hash, endTokens, wantsSession }: NewPassword,
): Promise<string | undefined> {
  return transaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("users")
      .set({ password_hash: hash })
      .where("id", "=", user.id)
      .where("password_hash", "=", user.password_hash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n)
      throw conflict("The password was changed in the meantime. Log in with the new one and try again.");
    await endSessionsOf(trx, user.id);
    await forgetAddresses(trx, user.id);
    if (endTokens) await revokeTokensOf(trx, user.id);
    return wantsSession ? startSession(trx, user.id) : undefined;
  });
}
