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
import { OlderPages } from "../live/olderPages";
import { Presence } from "../live/presence";
import { type LiveServer, makeSocketLive } from "../live/socketLive";
import { admit, allowRequest } from "./admit";
import { followImages } from "./annotating";
import { ignoreOtherUpgrades } from "./ignoreOtherUpgrades";
import { Checks } from "./limits/checks";
import { Handshakes } from "./limits/handshakes";
import { limitRequests } from "./limits/limitRequests";
import { Unadmitted } from "./limits/unadmitted";
import { PacketWatch } from "./limits/watchPackets";
import { passPointers } from "./passPointers";
import { Announcer } from "./presence/announcePresence";
import { SharedPresence } from "./presence/sharePresence";
import { recheckSessions } from "./recheckSessions";
import { renewLeases } from "./renewLeases";
import { shareFigures } from "./shareFigures";
import { storeTimeAtImages } from "./timeAtImages";

export interface Sockets {
  io: LiveServer;
  live: Live;
  /**
   * Accepts the connections of a web server. Worker processes do not call it; their `live` still notifies the pages of
   * other processes.
   */
  attach(server: HttpServer | HttpsServer): void;
  /** Returns the number of connections of this process. */
  count(): number;
  /** Closes all connections; pages reconnect once a server is available again. */
  close(): Promise<void>;
}

const MAX_MESSAGE_BYTES = 100_000;
/** Longest wait for admission. Socket.IO's own limit, which would also end connections that wait for their turn. */
const ADMISSION_MS = 300_000;
/** Concurrent queries of sockets: PostgreSQL has ten connections per process, the embedded database one. */
const CHECKS_AT_ONCE = { server: 4, embedded: 2 };

/**
 * Opens Socket.IO at `<BASE_PATH>socket.io/`, for 2.x clients too. With DATABASE_URL there may be several processes:
 * they notify each other through PostgreSQL, and polling is disabled, since all its requests would have to reach the
 * same process.
 */
export function openSockets(env: Env, db: Kysely<Schema>): Sockets {
  const manyProcesses = env.DATABASE_URL !== undefined;
  const limits = {
    checks: new Checks(manyProcesses ? CHECKS_AT_ONCE.server : CHECKS_AT_ONCE.embedded),
    handshakes: new Handshakes(),
    packets: new PacketWatch(),
    unadmitted: new Unadmitted(),
  };
  const io: LiveServer = new Server({
    path: `${env.BASE_PATH}socket.io`,
    serveClient: false,
    transports: manyProcesses ? ["websocket"] : ["polling", "websocket"],
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: ADMISSION_MS,
    // Existing scripts use the protocol of Socket.IO 2.x; they are admitted like any other client.
    allowEIO3: true,
    allowRequest: allowRequest(env, limits.handshakes),
  });
  const processes = env.DATABASE_URL ? connectProcesses(io, env.DATABASE_URL) : undefined;
  admit(io, db, env, limits);
  const presence = new Presence();
  const olderPages = new OlderPages();
  const announcer = new Announcer(io, db, presence);
  const shared = manyProcesses ? new SharedPresence(io, presence) : undefined;
  const stopSharingFigures = manyProcesses ? shareFigures(io, db) : undefined;
  followImages({ io, db, presence, olderPages, checks: limits.checks });
  passPointers(io);
  storeTimeAtImages(io, db, limits.checks);
  const stopChecking = recheckSessions(io, db);
  const stopRenewing = renewLeases(db, presence);
  return {
    io,
    live: makeSocketLive(io, db, presence, olderPages, { manyProcesses }),
    attach(server) {
      io.attach(server, { destroyUpgrade: false });
      io.engine.on("connection", (conn) => {
        limits.packets.watch(conn);
        limits.unadmitted.watch(conn);
      });
      io.engine.use(limitRequests(io, env, limits));
      ignoreOtherUpgrades(server, `${env.BASE_PATH}socket.io`);
    },
    count: () => io.engine?.clientsCount ?? 0,
    async close() {
      stopChecking();
      stopRenewing();
      announcer.stop();
      shared?.signOff();
      stopSharingFigures?.();
      io.engine?.close();
      await processes?.sent();
      // The adapter notifies the other processes that it closes.
      await io.of("/").adapter.close();
      await processes?.sent();
      await processes?.close();
    },
  };
}

/** Connection to the other processes. */
interface Processes {
  /** Resolves when all messages so far have reached the database, or after SENT_WITHIN_MS. */
  sent(): Promise<void>;
  close(): Promise<void>;
}

const SENT_WITHIN_MS = 2_000;

const warn = warnSeldom();

function connectProcesses(io: LiveServer, connectionString: string): Processes {
  const pool = new pg.Pool({ connectionString, max: 3, connectionTimeoutMillis: 5_000, ...KEEP_ALIVE });
  const onError = (error: Error) =>
    warn({ code: codeOf(error), reason: error.message }, "sockets: the other processes cannot be reached");
  pool.on("error", onError);
  // The adapter holds a client without listening for its errors, which would end the process.
  pool.on("connect", (client) => client.on("error", onError));
  releaseLostClients(pool);
  const releaseSubscription = trackSubscription(pool);
  const sending = trackQueries(pool);
  io.adapter(createAdapter(pool, { errorHandler: onError }));
  return {
    async sent() {
      await endsWithin(SENT_WITHIN_MS, Promise.allSettled(sending));
    },
    close() {
      releaseSubscription();
      return pool.end();
    },
  };
}

/**
 * Returns the set of running queries. The adapter does not report when a message is sent, and a pool that ends drops
 * queries that wait for a connection.
 */
function trackQueries(pool: pg.Pool): ReadonlySet<Promise<unknown>> {
  const running = new Set<Promise<unknown>>();
  const query = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
  const tracked = (text: string, values?: unknown[]) => {
    const result = query(text, values);
    running.add(result);
    const untrack = () => running.delete(result);
    result.then(untrack, untrack);
    return result;
  };
  pool.query = tracked as typeof pool.query;
  return running;
}

/**
 * Returns a function that releases the client on which the adapter listens, immediately or as soon as the client is
 * connected. If the adapter closes while the client is still connecting, it does not release the client, and the pool
 * would wait forever.
 */
function trackSubscription(pool: pg.Pool): () => void {
  const connect = pool.connect.bind(pool);
  let client: pg.PoolClient | undefined;
  let isOver = false;
  const release = () => {
    client?.release(true);
    client = undefined;
  };
  pool.on("release", (_, released) => {
    if (released === client) client = undefined;
  });
  const subscribe = async () => {
    client = await connect();
    if (!isOver) return client;
    release();
    return new Promise<never>(() => undefined);
  };
  // Queries connect with a callback, the adapter without.
  pool.connect = ((done?: Parameters<typeof connect>[0]) =>
    done ? connect(done) : subscribe()) as typeof pool.connect;
  return () => {
    isOver = true;
    release();
  };
}

/**
 * Releases clients that have lost their connection. The adapter listens on a client of the pool and, when that is lost,
 * takes another without releasing the first: after a few restarts of the database the pool would be empty, and no
 * events would be sent any more.
 */
function releaseLostClients(pool: pg.Pool): void {
  const taken = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => taken.add(client));
  pool.on("release", (_, client) => taken.delete(client));
  pool.on("connect", (client) => {
    client.once("end", () =>
      setTimeout(() => {
        if (taken.has(client)) client.release(true);
      }, RELEASE_MS).unref(),
    );
  });
}

/** Time in milliseconds in which other code releases its lost clients itself. */
const RELEASE_MS = 500;
