import { sql, type Transaction } from "kysely";
import { badRequest, conflict, HttpError, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { isConflictOn } from "../../db/rows/datasetNames";
import type { Schema } from "../../db/schema";
import { endSessionsOf } from "../access/sessions";
import { revokeTokensOf } from "../access/tokens";
import { userNamed } from "../passwords/userNamed";
import type { Services } from "../services";
import { accountById, accountNamed, hasOtherAdmin, requireSameAccount, requireStillAdmin } from "./account";
import { clearAccount } from "./clearAccount";
import { reassignDatasets } from "./reassignDatasets";
import { withAccountsLock } from "./withAccountsLock";

interface Seen {
  /** Id of the account that the admin saw. */
  id?: number | undefined;
  heir?: string | undefined;
  datasets?: number | undefined;
}

/**
 * Deletes an account. One short transaction closes it: sessions, API tokens and memberships end, and its datasets go to
 * `heir`, or are left without an owner. Afterwards the user can no longer log in. Remaining references are cleared page
 * by page (`clearAccount`), even after a crash. Throws 404; 409 for the last admin, or if the account does not have
 * `datasets` datasets; 400 if `heir` is not another account.
 */
export async function deleteAccount(
  { db, live }: Services,
  admin: CurrentUser,
  username: string,
  { id: seen, heir, datasets }: Seen,
): Promise<void> {
  const id = await withAccountsLock(db, async (trx) => {
    await requireStillAdmin(trx, admin);
    const user = await userNamed(trx, username);
    if (!user || user.username === "anonymous") throw notFound("User not found");
    requireSameAccount(user.id, seen);
    // An earlier deletion closed the account and was interrupted.
    if (user.closed_at) return user.id;
    if (user.is_admin && !(await hasOtherAdmin(trx, user.id))) throw conflict("The last admin cannot be deleted.");
    await requireNumberOfDatasets(trx, user.id, datasets);
    await reassignDatasets(trx, user, await heirOf(trx, heir, user.id));
    await close(trx, user.id);
    return user.id;
  }).catch((error: unknown) => {
    throw isConflictOn(error, "datasets_name") ? conflict(HEIR_CREATED) : error;
  });
  live.disconnectUser(id);
  await clearAccount(db, id);
}

const HEIR_CREATED =
  "The new owner has just created a dataset with the name of another one. Nothing was changed. Try again.";

/** Throws 409 if the account has not as many datasets as the admin was shown before confirming the deletion. */
async function requireNumberOfDatasets(trx: Transaction<Schema>, id: number, seen: number | undefined): Promise<void> {
  if (seen === undefined) return;
  const { datasets: total } = await accountById(trx, id);
  if (total !== seen)
    throw new HttpError(
      409,
      `This account has ${total} ${total === 1 ? "dataset" : "datasets"} now, not ${seen}. Nothing was changed.`,
      { code: "total_changed", facts: { total } },
    );
}

async function heirOf(trx: Transaction<Schema>, username: string | undefined, userId: number): Promise<number | null> {
  if (!username) return null;
  const heir = await accountNamed(trx, username).catch((error: unknown) => {
    throw error instanceof HttpError ? noHeir(username) : error;
  });
  if (heir.id === userId) throw noHeir(username);
  return heir.id;
}

function noHeir(username: string): HttpError {
  const message = `There is no other user named ${username}.`;
  return badRequest(message, { heir: message });
}

async function close(trx: Transaction<Schema>, id: number): Promise<void> {
  await endSessionsOf(trx, id);
  await revokeTokensOf(trx, id);
  await trx.deleteFrom("dataset_members").where("user_id", "=", id).execute();
  await trx
    .updateTable("users")
    .set({ closed_at: sql<Date>`now()`, password_hash: null, is_admin: false, name: "", email: "", preferences: "{}" })
    .where("id", "=", id)
    .execute();
}
