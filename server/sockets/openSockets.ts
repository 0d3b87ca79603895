import type { Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { createAdapter } from "@socket.io/postgres-adapter";
import type { Kysely } from "kysely";
import pg from "pg";
import { Server } from "socket.io";
import { endsWithin } from "../../shared/async/timeLimit";
import type { Env } from "../base/env";
import { codeOf } from "../base/errors";
import { warnSeldom } from "../base/log";
import { KEEP_ALIVE } from "../db/open/database";
import type { Schema } from "../db/schema";
import type { Live } from "../live/live";
import { Presence } from "../live/presence";
import { type LiveServer, makeSocketLive } from "../live/socketLive";
import { admit, allowRequest } from "./admit";
import { followImages } from "./annotating";
import { ignoreOtherUpgrades } from "./ignoreOtherUpgrades";
import { Checks } from "./limits/checks";
import { Handshakes } from "./limits/handshakes";
import { limitRequests } from "./limits/limitRequests";
import { PacketWatch } from "./limits/watchPackets";
import { Announcer } from "./presence/announcePresence";
import { SharedPresence } from "./presence/sharePresence";
import { recheckSessions } from "./recheckSessions";
import { storeTimeAtImages } from "./timeAtImages";

export interface Sockets {
  io: LiveServer;
  live: Live;
  /** Takes the connections of a web server. Without it (in a process that only works) `live` reaches other processes. */
  attach(server: HttpServer | HttpsServer): void;
  /** Closes all connections; the pages come back when a server is there again. */
  close(): Promise<void>;
}

const MAX_MESSAGE_BYTES = 100_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Queries of sockets at a time: a PostgreSQL server has ten connections for a process, the embedded database one. */
const CHECKS_AT_ONCE = { server: 4, embedded: 2 };

/**
 * Socket.IO at `<BASE_PATH>socket.io/`, for clients of the 2.x line too. With DATABASE_URL there may be several
 * processes: they tell each other through PostgreSQL, and polling is off, since its requests would have to reach one
 * and the same process.
 */
export function openSockets(env: Env, db: Kysely<Schema>): Sockets {
  const manyProcesses = env.DATABASE_URL !== undefined;
  const limits = {
    checks: new Checks(manyProcesses ? CHECKS_AT_ONCE.server : CHECKS_AT_ONCE.embedded),
    handshakes: new Handshakes(),
    packets: new PacketWatch(),
  };
  const io: LiveServer = new Server({
    path: `${env.BASE_PATH}socket.io`,
    serveClient: false,
    transports: manyProcesses ? ["websocket"] : ["polling", "websocket"],
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Scripts in use speak the protocol of the 2.x line; they are admitted as everybody is.
    allowEIO3: true,
    allowRequest: allowRequest(env, limits.handshakes),
  });
  const processes = env.DATABASE_URL ? connectProcesses(io, env.DATABASE_URL) : undefined;
  admit(io, db, env, limits);
  const presence = new Presence();
  const announcer = new Announcer(io, db, presence);
  const shared = manyProcesses ? new SharedPresence(io, presence) : undefined;
  followImages({ io, db, presence, checks: limits.checks });
  storeTimeAtImages(io, db, limits.checks);
  const stopChecking = recheckSessions(io, db);
  return {
    io,
    live: makeSocketLive(io, db, presence, { manyProcesses }),
    attach(server) {
      io.attach(server, { destroyUpgrade: false });
      io.engine.on("connection", (conn) => limits.packets.watch(conn));
      io.engine.use(limitRequests(io, env, limits));
      ignoreOtherUpgrades(server, `${env.BASE_PATH}socket.io`);
    },
    async close() {
      stopChecking();
      announcer.stop();
      shared?.signOff();
      io.engine?.close();
      await processes?.sent();
      await io.of("/").adapter.close();
      await processes?.close();
    },
  };
}

/** The way to the other processes. */
interface Processes {
  /** Resolves when what was sent so far has reached the database, or the database is away. */
  sent(): Promise<void>;
  close(): Promise<void>;
}

const SENT_WITHIN_MS = 2_000;

const warn = warnSeldom();

function connectProcesses(io: LiveServer, connectionString: string): Processes {
  const pool = new pg.Pool({ connectionString, max: 3, connectionTimeoutMillis: 5_000, ...KEEP_ALIVE });
  const onError = (error: Error) =>
    warn({ code: codeOf(error), reason: error.message }, "sockets: the other processes are out of reach");
  pool.on("error", onError);
  // The adapter keeps a client without listening for its errors, which would end the process.
  pool.on("connect", (client) => client.on("error", onError));
  giveBackLost(pool);
  const sending = noteQueries(pool);
  io.adapter(createAdapter(pool, { errorHandler: onError }));
  return {
    async sent() {
      await endsWithin(SENT_WITHIN_MS, Promise.allSettled(sending));
    },
    close: () => pool.end(),
  };
}

/** The adapter says of no message when it is out, and a pool that ends drops what waits for a connection. */
function noteQueries(pool: pg.Pool): ReadonlySet<Promise<unknown>> {
  const running = new Set<Promise<unknown>>();
  const query = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
  const noted = (text: string, values?: unknown[]) => {
    const result = query(text, values);
    running.add(result);
    const over = () => running.delete(result);
    result.then(over, over);
    return result;
  };
  pool.query = noted as typeof pool.query;
  return running;
}

/**
 * The adapter listens on a client of the pool and, when that is lost, takes another one without giving it back: after a
 * few restarts of the database the pool would have none left, and nobody would hear anything any more.
 */
function giveBackLost(pool: pg.Pool): void {
  const taken = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => taken.add(client));
  pool.on("release", (_, client) => taken.delete(client));
  pool.on("connect", (client) => {
    client.once("end", () =>
      setTimeout(() => {
        if (taken.has(client)) client.release(true);
      }, GIVE_BACK_MS).unref(),
    );
  });
}

/** Whoever gives clients back has done so by then. */
const GIVE_BACK_MS = 500;
