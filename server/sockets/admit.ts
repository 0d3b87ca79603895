import type { IncomingMessage } from "node:http";
import type { Kysely } from "kysely";
import { identify } from "../actions/identity";
import type { Schema } from "../db/schema";
import type { Env } from "../env";
import { HttpError } from "../errors";
import { roomOf } from "../live/rooms";
import type { LiveServer } from "../live/socketLive";
import { log } from "../log";
import { addressOf, hostOf, requireOwnOrigin } from "../middleware/requireOwnOrigin";

/** Sockets of one person at a time, in one process. */
const MAX_SOCKETS = 100;

/** Milliseconds until a page without a login may connect again; its own back-off adds about a second. */
const COME_BACK_MS = 1_000;

/** Refuses connections that another site's page opens: browsers send cookies with them, and CORS does not apply. */
export const allowRequest =
  (env: Env) =>
  (request: IncomingMessage, done: (error: string | null, success: boolean) => void): void => {
    try {
      requireOwnOrigin(request.headers, "CONNECT", hostOf(request.headers, env));
      done(null, true);
    } catch {
      done("This connection does not come from a page of this server.", false);
    }
  };

/** Admits people who are logged in, to the rooms of their own. */
export function admit(io: LiveServer, db: Kysely<Schema>, env: Env): void {
  io.use(async (socket, next) => {
    try {
      const { request } = socket;
      const identity = await identify(db, env, request.headers, addressOf(request, env));
      if (!identity) {
        if (isOlder(socket) && request.headers.authorization === undefined) comeBackSoon(socket);
        return next(new Error("Authorization required"));
      }
      const { person } = identity;
      if ((io.of("/").adapter.rooms.get(roomOf.user(person.id))?.size ?? 0) >= MAX_SOCKETS)
        return next(new Error("Too many connections."));
      socket.data = { person, sessionId: identity.sessionId, tokenId: identity.tokenId };
      await socket.join(roomOf.user(person.id));
      if (person.isAdmin || person.anonymous) await socket.join(roomOf.everything);
      if (isOlder(socket)) await socket.join(roomOf.olderClients);
      next();
    } catch (error) {
      refuse(error, next);
    }
  });
}

type NewSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];

/** True for a client of Socket.IO's 2.x line, which speaks the third version of Engine.IO's protocol. */
export const isOlder = ({ conn }: NewSocket): boolean => conn.protocol === 3;

/**
 * Closes the connection of a page that nobody is logged in with. A page of the 2.x line connects once, before its user
 * logs in, and afterwards waits until the refused connection ends: at that it connects again, with the new cookie.
 */
function comeBackSoon({ conn }: NewSocket): void {
  const timer = setTimeout(() => conn.close(), COME_BACK_MS);
  timer.unref();
  conn.once("close", () => clearTimeout(timer));
}

function refuse(error: unknown, next: Parameters<Parameters<LiveServer["use"]>[0]>[1]): void {
  if (!(error instanceof HttpError)) log.warn({ err: error }, "a socket could not be admitted");
  next(new Error(error instanceof HttpError ? error.message : "The server cannot do this just now."));
}
