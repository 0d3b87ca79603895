import type { Kysely } from "kysely";
import { log } from "../base/log";
import type { Schema } from "../db/schema";
import { openSessions } from "../features/access/sessions";
import { validTokens } from "../features/access/tokens";
import type { LiveServer } from "../live/socketLive";

const EVERY_MS = 60_000;

/**
 * Closes, once a minute, the sockets of ended or expired sessions and API tokens. Returns a function that stops this.
 */
export function recheckSessions(io: LiveServer, db: Kysely<Schema>): () => void {
  const timer = setInterval(() => {
    endClosed(io, db).catch((error) => log.warn({ err: error }, "sessions of sockets could not be checked"));
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export async function endClosed(io: LiveServer, db: Kysely<Schema>): Promise<void> {
  const sockets = [...io.of("/").sockets.values()];
  const sessionIds = new Set(sockets.flatMap(({ data }) => data.sessionId ?? []));
  const tokenIds = new Set(sockets.flatMap(({ data }) => data.tokenId ?? []));
  const sessions = sessionIds.size > 0 ? await openSessions(db, [...sessionIds]) : new Set<string>();
  const tokens = tokenIds.size > 0 ? await validTokens(db, [...tokenIds]) : new Set<number>();
  for (const { conn, data } of sockets) {
    const hasEnded =
      (data.sessionId !== undefined && !sessions.has(data.sessionId)) ||
      (data.tokenId !== undefined && !tokens.has(data.tokenId));
    if (hasEnded) conn.close();
  }
}
