import type { IncomingHttpHeaders } from "node:http";
import { USER_HEADER } from "../../shared/api/protocol/headers";
import { otherUser } from "../base/errors";
import type { CurrentUser } from "../base/permissions";

/**
 * Throws 409 if the headers name another user than the caller: a page that was open when another user logged in in the
 * same browser must not act in their name. Accepts calls without the header.
 */
export function requireShownUser(headers: IncomingHttpHeaders, user: CurrentUser): void {
  const named = headers[USER_HEADER];
  if (named !== undefined && named !== String(user.id)) throw otherUser();
}
