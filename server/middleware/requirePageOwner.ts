import type { IncomingHttpHeaders } from "node:http";
import type { Kysely } from "kysely";
import { FROM_PAGE, INSTALLATION_HEADER, USER_HEADER } from "../../shared/api/protocol/headers";
import { otherInstallation, otherUser } from "../base/errors";
import type { CurrentUser } from "../base/permissions";
import { readInstallation } from "../db/installation";
import type { Schema } from "../db/schema";

/**
 * Milliseconds for which the installation id is cached; a restore takes longer. Batches of edits check the id without
 * the cache.
 */
const KEEP_MS = 1_000;
const known = new WeakMap<Kysely<Schema>, { id: string; until: number }>();

/**
 * Throws 409 if the headers name another installation: the ids known to a page that was open during a restore may now
 * refer to other rows. Accepts calls without the header.
 */
export async function requireInstallation(db: Kysely<Schema>, headers: IncomingHttpHeaders): Promise<void> {
  const named = headers[INSTALLATION_HEADER];
  if (named === undefined) return;
  const kept = known.get(db);
  if (kept?.id === named && kept.until > performance.now()) return;
  const { id } = await readInstallation(db);
  known.set(db, { id, until: performance.now() + KEEP_MS });
  if (id !== named) throw otherInstallation();
}

/**
 * Throws 409 if the headers name another user than the caller: a page that was open when another user logged in in the
 * same browser must not act in their name. Accepts calls without the header.
 */
export function requireShownUser(headers: IncomingHttpHeaders, user: CurrentUser): void {
  const named = headers[USER_HEADER];
  if (named !== undefined && named !== String(user.id)) throw otherUser();
}

/** Returns true if the call comes from one of Limn's own pages. */
export const isFromPage = (headers: IncomingHttpHeaders): boolean => headers[FROM_PAGE.name] === FROM_PAGE.value;
