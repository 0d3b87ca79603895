import type { IncomingMessage } from "node:http";
import type { Kysely } from "kysely";
import { type Limited, PRESENCE_IN_BATCHES } from "../../shared/events";
import type { Env } from "../base/env";
import { HttpError } from "../base/errors";
import { warnSeldom } from "../base/log";
import type { CurrentUser } from "../base/permissions";
import type { Schema } from "../db/schema";
import { identify } from "../features/access/identity";
import { roomOf } from "../live/rooms";
import type { LiveServer } from "../live/socketLive";
import { addressOf, hostOf, requireOwnOrigin } from "../middleware/requireOwnOrigin";
import { budgetOf } from "./limits/budgetOf";
import type { Checks } from "./limits/checks";
import type { Handshakes } from "./limits/handshakes";
import { type PacketWatch, tooManyMessages } from "./limits/watchPackets";

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];

/** Milliseconds until a page without a login may connect again; its own back-off adds about a second. */
const COME_BACK_MS = 1_000;

/** Sockets of one user at a time, in one process; where logins are off, of one address. */
const MAX_SOCKETS = { user: 100, address: 2_000 };
/** Seconds. Somebody closes a tab meanwhile. */
const TRY_AGAIN_AFTER = 60;

const warn = warnSeldom();

interface Limits {
  checks: Checks;
  handshakes: Handshakes;
  packets: PacketWatch;
}

/**
 * Refuses connections that another site's page opens: browsers send cookies with them, and CORS does not apply. And
 * those of whoever opens too many.
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
    done(isFine ? null : "Too many connections were opened from here. Try again in a minute.", isFine);
  };

/** Admits users who are logged in, to the rooms of their own. */
export function admit(io: LiveServer, db: Kysely<Schema>, env: Env, { checks, handshakes, packets }: Limits): void {
  io.use(async (socket, next) => {
    const { request } = socket;
    const { headers } = request;
    const address = addressOf(request, env);
    try {
      const identity = await checks.identify(address, () => identify(db, env, headers, address));
      if (!identity) {
        handshakes.failed(headers, address);
        if (isOlder(socket) && headers.authorization === undefined) comeBackSoon(socket);
        return next(new Error("Authorization required"));
      }
      handshakes.succeeded(headers);
      const { user, sessionId, tokenId } = identity;
      socket.data = { user, sessionId, tokenId, address, takesBatches: takesBatches(socket) };
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

/** True for a client of Socket.IO's 2.x line, which speaks the third version of Engine.IO's protocol. */
export const isOlder = ({ conn }: LiveSocket): boolean => conn.protocol === 3;

/**
 * Closes the connection of a page that nobody is logged in with. A page of the 2.x line connects once, before its user
 * logs in, and afterwards waits until the refused connection ends: at that it connects again, with the new cookie.
 */
function comeBackSoon({ conn }: LiveSocket): void {
  const timer = setTimeout(() => conn.close(), COME_BACK_MS);
  timer.unref();
  conn.once("close", () => clearTimeout(timer));
}

/** Older pages and scripts of the 2.x line never ask. */
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
  const message = "Too many tabs are open for live updates. Close some: this one will then get them within a minute.";
  return { code: "too_many_connections", message, retry_after: TRY_AGAIN_AFTER };
}

/** The page gets the limit as the error's `data`. */
const limitError = (limited: Limited): Error => Object.assign(new Error(limited.message), { data: limited });

function refuse(error: unknown, next: Parameters<Parameters<LiveServer["use"]>[0]>[1]): void {
  if (!(error instanceof HttpError)) warn({ err: error }, "a socket could not be admitted");
  next(new Error(error instanceof HttpError ? error.message : "The server cannot do this right now."));
}
