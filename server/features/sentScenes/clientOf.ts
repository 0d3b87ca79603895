import type { Identity } from "../access/identity";

/** Names the client of a request: its session, its token, or its user where the password comes with every request. */
export function clientOf({ by, user, sessionId, tokenId }: Identity, address: string): string {
  if (by === "session") return `session ${sessionId}`;
  if (by === "token") return `token ${tokenId}`;
  return by === "basic" ? `basic ${user.id}` : `open ${address}`;
}
