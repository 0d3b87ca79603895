import type { Identity } from "../access/identity";

/** Returns an id for a request's client: its session, its token, its user with Basic authentication, or its address. */
export function clientOf({ by, user, sessionId, tokenId }: Identity, address: string): string {
  if (by === "session") return `session ${sessionId}`;
  if (by === "token") return `token ${tokenId}`;
  return by === "basic" ? `basic ${user.id}` : `open ${address}`;
}
