import type { IncomingMessage } from "node:http";
import type { Kysely } from "kysely";
import { type Limited, PRESENCE_IN_BATCHES } from "../../shared/events";
import type { Env } from "../base/env";
import { HttpError } from "../base/errors";
import { warnSeldom } from "../base/log";
import type { CurrentUser } from "../base/permissions";
import type { Schema } from "../db/schema";
import { identify } from "../features/access/identity";
import { clientOf } from "../features/sentScenes/clientOf";
import { roomOf } from "../live/rooms";
import type { LiveServer } from "../live/socketLive";
import { addressOf, hostOf, requireOwnOrigin } from "../middleware/requireOwnOrigin";
import { budgetOf } from "./limits/budgetOf";
import type { Checks } from "./limits/checks";
import type { Handshakes } from "./limits/handshakes";
import type { Unadmitted } from "./limits/unadmitted";
import { type PacketWatch, tooManyMessages } from "./limits/watchPackets";

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];

/** Milliseconds until a page without a login may reconnect; the page's own back-off adds about a second. */
const RECONNECT_MS = 1_000;

/** Maximum number of concurrent sockets per process: of one user or, with login disabled, of one address. */
const MAX_SOCKETS = { user: 100, address: 2_000 };
/** Seconds after which the page tries again; until then the user may close a tab. */
const TRY_AGAIN_AFTER = 60;

const warn = warnSeldom();

interface Limits {
  checks: Checks;
  handshakes: Handshakes;
  packets: PacketWatch;
  unadmitted: Unadmitted;
}

/**
 * Returns a function that rejects connections from pages of other sites (browsers send cookies with them, and CORS does
 * not apply) and from clients that open too many.
 */
export const allowRequest =
  (env: Env, handshakes: Handshakes) =>
  (request: IncomingMessage, done: (error: string | null, success: boolean) => void): void => {
    try {
      requireOwnOrigin(request.headers, "CONNECT", hostOf(request.headers, env));
    } catch {
      done("This connection does not come from a page of this server.", false);
      return;
    }
    const isFine = handshakes.attempt(request.headers, addressOf(request, env));
    done(isFine ? null : "Too many connections were opened from this address. Try again in a minute.", isFine);
  };

/** Admits the sockets of users who are logged in, and adds them to their rooms. */
export function admit(io: LiveServer, db: Kysely<Schema>, env: Env, limits: Limits): void {
  const { checks, handshakes, packets, unadmitted } = limits;
  io.use(async (socket, end) => {
    const { request, conn } = socket;
    const next = (error?: Error) => {
      if (error) unadmitted.refused(conn);
      end(error);
    };
    unadmitted.ask(conn);
    const { headers } = request;
    const address = addressOf(request, env);
    try {
      // Connections that were closed while they waited cost no query: the others would wait for them, and be closed too.
      const identity = await checks.identify(address, async () =>
        conn.readyState === "open" ? identify(db, env, headers, address) : "gone",
      );
      if (identity === "gone") return next(new Error("The connection was closed."));
      if (!identity) {
        handshakes.failed(headers, address);
        if (isOlder(socket) && headers.authorization === undefined) closeSoon(socket);
        return next(new Error("Authorization required"));
      }
      handshakes.succeeded(headers);
      const { user, sessionId, tokenId } = identity;
      const client = clientOf(identity, address);
      socket.data = { user, sessionId, tokenId, client, address, takesBatches: takesBatches(socket) };
      const budget = budgetOf(socket);
      const refusal = refusalOf(
        packets.penalties.secondsLeft(budget),
        io.of("/").adapter.rooms.get(budget)?.size ?? 0,
        user,
      );
      if (refusal) return next(limitError(refusal));
      packets.admit(socket, budget);
      await socket.join([budget, ...roomsOf(socket)]);
      next();
    } catch (error) {
      refuse(error, next);
    }
  });
}

/** Returns true for a Socket.IO 2.x client, which uses version 3 of the Engine.IO protocol. */
export const isOlder = ({ conn }: LiveSocket): boolean => conn.protocol === 3;

/**
 * Closes the connection of a page without a login. A page with Socket.IO 2.x connects before its user logs in, and
 * reconnects, with the new cookie, only after the rejected connection has closed.
 */
function closeSoon({ conn }: LiveSocket): void {
  const timer = setTimeout(() => conn.close(), RECONNECT_MS);
  timer.unref();
  conn.once("close", () => clearTimeout(timer));
}

/** Returns true if the client asked for presence in batches. Older pages and Socket.IO 2.x scripts never do. */
function takesBatches({ handshake }: LiveSocket): boolean {
  return handshake.auth.presence === PRESENCE_IN_BATCHES.presence;
}

function roomsOf(socket: LiveSocket): string[] {
  const { user, takesBatches } = socket.data;
  const seesAll = user.isAdmin || user.anonymous;
  const rooms = [roomOf.user(user.id)];
  if (seesAll) rooms.push(roomOf.everything);
  if (isOlder(socket)) rooms.push(roomOf.olderClients);
  if (takesBatches) return rooms;
  return [...rooms, roomOf.allSingles, seesAll ? roomOf.everythingSingles : roomOf.userSingles(user.id)];
}

function refusalOf(penalty: number, open: number, user: CurrentUser): Limited | undefined {
  if (penalty > 0) return tooManyMessages(penalty);
  if (open < (user.anonymous ? MAX_SOCKETS.address : MAX_SOCKETS.user)) return undefined;
  const message =
    "Too many tabs are open for live updates. Close some, and live updates will start in this tab within a minute.";
  return { code: "too_many_connections", message, retry_after: TRY_AGAIN_AFTER };
}

/** Returns the error for a limit; the page receives the limit as the error's `data`. */
const limitError = (limited: Limited): Error => Object.assign(new Error(limited.message), { data: limited });

function refuse(error: unknown, next: Parameters<Parameters<LiveServer["use"]>[0]>[1]): void {
  if (!(error instanceof HttpError)) warn({ err: error }, "a socket could not be admitted");
  next(new Error(error instanceof HttpError ? error.message : "The server cannot do this right now."));
}
