import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { errorFromSql } from "../../../server/base/errors";
import { withPreparedStatements } from "../../../server/db/preparedStatements";
import type { Schema } from "../../../server/db/schema";
import { transaction } from "../../../server/db/transaction";
import { describeOnServer, openServer, type TestDatabase } from "../../support/databases";

const SILENCE_MS = 300;

describeOnServer("an unresponsive database server", () => {
  let database: TestDatabase;
  let way: Awaited<ReturnType<typeof openWay>>;
  let db: Kysely<Schema>;
  beforeAll(async () => {
    database = await openServer();
    way = await openWay(new URL(database.url ?? ""));
    const pool = new pg.Pool({ connectionString: way.url, connectionTimeoutMillis: SILENCE_MS });
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    db = new Kysely({ dialect: new PostgresDialect({ pool: withPreparedStatements(pool, SILENCE_MS) }) });
  });
  afterAll(async () => {
    await db.destroy();
    await way.close();
    await database.close();
  });

  const statusOf = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (error) => errorFromSql(error)?.status,
    );

  it("a silent server is reported as unreachable, even inside a transaction, and is found again", async () => {
    expect(await statusOf(sql`select 1`.execute(db))).toBe(200);
    const underWay = transaction(db, async (trx) => {
      await sql`select 1`.execute(trx);
      way.freeze();
      await sql`select 2`.execute(trx);
    });
    expect(await statusOf(underWay)).toBe(503);
    expect(await Promise.all([1, 2, 3].map(() => statusOf(sql`select 3`.execute(db))))).toEqual([503, 503, 503]);
    way.thaw();
    // On a busy machine, a response can be later than the limit.
    await expect
      .poll(() => Promise.all([1, 2, 3].map(() => statusOf(sql`select 4`.execute(db)))))
      .toEqual([200, 200, 200]);
  });

  it("a transaction may ask for a longer wait, which does not apply to the next one", async () => {
    const slow = sql`select pg_sleep(${(3 * SILENCE_MS) / 1_000})`;
    const patient = transaction(db, async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      await slow.execute(trx);
    });
    expect(await statusOf(patient)).toBe(200);
    expect(await statusOf(slow.execute(db))).toBe(503);
    expect(await statusOf(sql`select 5`.execute(db))).toBe(200);
  });
});

/** Opens a proxy to a server, in which bytes can be held back. */
async function openWay({ hostname, port, username, pathname }: URL) {
  let isFrozen = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("data", (bytes) => void (isFrozen || other.write(bytes)));
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(done));
    },
  };
}
