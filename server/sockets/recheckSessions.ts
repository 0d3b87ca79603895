import type { Kysely } from "kysely";
import { openSessions } from "../actions/sessions";
import type { Schema } from "../db/schema";
import type { LiveServer } from "../live/socketLive";
import { log } from "../log";

const EVERY_MS = 60_000;

/** Ends, once a minute, the sockets of sessions that have ended or expired. Answers how to stop it. */
export function recheckSessions(io: LiveServer, db: Kysely<Schema>): () => void {
  const timer = setInterval(() => {
    endClosed(io, db).catch((error) => log.warn({ err: error }, "sessions of sockets could not be checked"));
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export async function endClosed(io: LiveServer, db: Kysely<Schema>): Promise<void> {
  const bySession = [...io.of("/").sockets.values()].filter((socket) => socket.data.sessionId !== undefined);
  const ids = new Set(bySession.map((socket) => socket.data.sessionId as string));
  if (ids.size === 0) return;
  const open = await openSessions(db, [...ids]);
  for (const socket of bySession) if (!open.has(socket.data.sessionId as string)) socket.conn.close();
}
