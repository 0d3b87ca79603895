import { setTimeout as wait } from "node:timers/promises";
import type { KyselyPlugin } from "kysely";
import type { Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openEmbedded, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import { cookieOfClient, openSocket, waitForConnection } from "../../support/sockets";

/** On the embedded database, whose one connection a test can hold. */
describe("admission of sockets", () => {
  let database: TestDatabase;
  let server: TestServer;
  let user: TestUser;
  let queries = 0;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    database = await openEmbedded();
    const count: KyselyPlugin = {
      transformQuery({ node }) {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    server = await startServer({ ...database, db: database.db.withPlugin(count) });
    user = await server.user("ann");
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  function open(number: number): Socket[] {
    const opened = Array.from({ length: number }, () => openSocket(server.url, cookieOfClient(user)));
    sockets.push(...opened);
    return opened;
  }

  test("a page that waits long for its turn stays connected, and is admitted", async () => {
    const hold = () => database.db.transaction().execute(() => wait(6_000));
    const first = hold();
    const waiting = open(3).map(waitForConnection);
    await wait(3_000);
    await Promise.all([...waiting, first, hold()]);
  });

  test("connections that were closed while they waited for their turn cost no query", async () => {
    let release = () => {};
    const held = database.db.transaction().execute(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    const gone = open(40);
    await expect.poll(() => server.sockets.count()).toBe(40);
    for (const socket of gone) socket.close();
    await expect.poll(() => server.sockets.count()).toBe(0);
    queries = 0;
    release();
    await held;
    await Promise.all(open(1).map(waitForConnection));
    expect(queries).toBeLessThan(10);
  });
});
