import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { makeApp } from "../../server/app";
import { type Env, readEnv } from "../../server/base/env";
import { currentVersion } from "../../server/db/migrate";
import type { UserRow } from "../../server/db/schema";
import { cookieName } from "../../server/features/access/identity";
import { startSession } from "../../server/features/access/sessions";
import { Readiness } from "../../server/features/health/readiness";
import { metricsIfOn } from "../../server/features/metrics/metricsIfOn";
import type { Services } from "../../server/features/services";
import { makeFiles } from "../../server/files/files";
import { makeDextr } from "../../server/onnx/dextr";
import { openSockets, type Sockets } from "../../server/sockets/openSockets";
import type { TestDatabase } from "./databases";
import { temporaryFolder } from "./folders";
import { DEXTR_PATIENCE } from "./patience";
import { TestClient } from "./testClient";

/** The real application on a free port, with a separate database. */
export interface TestServer {
  /** URL with BASE_PATH and a trailing slash. */
  url: string;
  services: Services;
  env: Env;
  db: Services["db"];
  sockets: Sockets;
  /** Returns a client without a session. */
  visitor(): TestClient;
  /** Creates a user with a session directly in the tables, because hashing a password is slow. */
  user(username: string, more?: { admin?: boolean }): Promise<TestUser>;
  close(): Promise<void>;
}

export interface TestUser extends TestClient {
  id: number;
  username: string;
}

export interface TestServerOptions {
  env?: Record<string, string>;
  services?: Partial<Services>;
}

/** As long as in the product, so that a busy machine closes no connection on which a request is being sent. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Starts the application. Call it in beforeAll or at the top of a describe block: the data folder is removed after the
 * tests, and the caller calls `close`.
 */
export async function startServer(database: TestDatabase, options: TestServerOptions = {}): Promise<TestServer> {
  const folder = temporaryFolder();
  const env = readEnv({ DATA_DIR: folder, ...(database.url && { DATABASE_URL: database.url }), ...options.env });
  const sockets = openSockets(env, database.db);
  const services: Services = {
    env,
    db: database.db,
    files: makeFiles(env),
    live: sockets.live,
    // Tests of the server's own limit set theirs.
    dextr: makeDextr(DEXTR_PATIENCE),
    readiness: new Readiness(() => currentVersion(database.db)),
    log: pino({ level: "silent" }),
    wakeRunner: () => undefined,
    ...options.services,
  };
  const metrics = await metricsIfOn({
    ...services,
    poolLoad: () => database.load?.(),
    socketCount: () => sockets.count(),
  });
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    makeApp(services, { checkResponses: true, metrics }).callback(),
  );
  sockets.attach(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${env.BASE_PATH}`;
  return {
    url,
    services,
    env,
    db: database.db,
    visitor: () => new TestClient(url),
    user: (username, more) => makeUser(url, services, username, more),
    sockets,
    async close() {
      await sockets.close();
      await stop(server);
      await services.dextr.close();
    },
  };
}

async function makeUser(url: string, { db, env }: Services, username: string, more: { admin?: boolean } = {}) {
  const row: UserRow = await db
    .insertInto("users")
    .values({ username, is_admin: more.admin ?? false, last_seen: new Date() })
    .returningAll()
    .executeTakeFirstOrThrow();
  const client = new TestClient(url);
  client.cookies.set(cookieName(env), await startSession(db, row.id));
  return Object.assign(client, { id: row.id, username });
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
