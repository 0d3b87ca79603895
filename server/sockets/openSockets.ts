import type { Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { createAdapter } from "@socket.io/postgres-adapter";
import type { Kysely } from "kysely";
import pg from "pg";
import { Server } from "socket.io";
import { KEEP_ALIVE } from "../db/database";
import type { Schema } from "../db/schema";
import type { Env } from "../env";
import { codeOf } from "../errors";
import type { Live } from "../live/live";
import { Presence } from "../live/presence";
import { type LiveServer, makeSocketLive } from "../live/socketLive";
import { log } from "../log";
import { admit, allowRequest } from "./admit";
import { followPictures } from "./annotating";
import { ignoreOtherUpgrades } from "./ignoreOtherUpgrades";
import { recheckSessions } from "./recheckSessions";
import { sharePresence } from "./sharePresence";
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

/**
 * Socket.IO at `<BASE_PATH>socket.io/`, for clients of the 2.x line too. With DATABASE_URL there may be several
 * processes: they tell each other through PostgreSQL, and polling is off, since its requests would have to reach one
 * and the same process.
 */
export function openSockets(env: Env, db: Kysely<Schema>): Sockets {
  const manyProcesses = env.DATABASE_URL !== undefined;
  const io: LiveServer = new Server({
    path: `${env.BASE_PATH}socket.io`,
    serveClient: false,
    transports: manyProcesses ? ["websocket"] : ["polling", "websocket"],
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Scripts in use speak the protocol of the 2.x line; they are admitted as everybody is.
    allowEIO3: true,
    allowRequest: allowRequest(env),
  });
  const pool = env.DATABASE_URL ? connectProcesses(io, env.DATABASE_URL) : undefined;
  admit(io, db, env);
  const presence = new Presence();
  const stopSharing = manyProcesses ? sharePresence(io, presence) : undefined;
  followPictures(io, db, presence);
  storeTimeAtImages(io, db);
  const stopChecking = recheckSessions(io, db);
  return {
    io,
    live: makeSocketLive(io, db, presence, { manyProcesses }),
    attach(server) {
      io.attach(server, { destroyUpgrade: false });
      ignoreOtherUpgrades(server, `${env.BASE_PATH}socket.io`);
    },
    async close() {
      stopChecking();
      stopSharing?.();
      io.engine?.close();
      await io.of("/").adapter.close();
      await pool?.end();
    },
  };
}

function connectProcesses(io: LiveServer, connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 3, connectionTimeoutMillis: 5_000, ...KEEP_ALIVE });
  const onError = (error: Error) =>
    log.warn({ code: codeOf(error) }, `sockets: the other processes are out of reach: ${error.message}`);
  pool.on("error", onError);
  // The adapter keeps a client without listening for its errors, which would end the process.
  pool.on("connect", (client) => client.on("error", onError));
  giveBackLost(pool);
  io.adapter(createAdapter(pool, { errorHandler: onError }));
  return pool;
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
