import type { IncomingHttpHeaders } from "node:http";
import { FROM_PAGE } from "../../../shared/api/protocol/headers";
import type { Identity } from "../access/identity";

/** Returns an id for a request's client: its session, its token, its user with Basic authentication, or its address. */
export function clientOf({ by, user, sessionId, tokenId }: Identity, address: string): string {
  if (by === "session") return `session ${sessionId}`;
  if (by === "token") return `token ${tokenId}`;
  return by === "basic" ? `basic ${user.id}` : `open ${address}`;
}

/**
 * Returns true if a call comes from a page of an older client: browsers send the origin with every change, and only
 * Limn's own pages send Limn's header.
 */
export function isFromOlderPage({ by }: Identity, headers: IncomingHttpHeaders): boolean {
  const isFromBrowser = headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
  const isFromLimn = String(headers[FROM_PAGE.name]).startsWith(FROM_PAGE.value);
  return (by === "session" || by === "open") && isFromBrowser && !isFromLimn;
}
