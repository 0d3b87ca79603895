import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBothDatabases, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";

describeOnBothDatabases("health", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await open();
    server = await startServer(database);
  });
  afterAll(() => server.close());

  test("a server is live and ready, without a login", async () => {
    expect(await server.visitor().get("health/live")).toMatchObject({ status: 200, body: { live: true } });
    expect(await server.visitor().get("health/ready")).toMatchObject({ status: 200, body: { ready: true } });
    expect(await server.visitor().get("health")).toMatchObject({ status: 200, body: { ready: true } });
  });

  test("probes are not stored by proxies, and HEAD works too", async () => {
    const { headers } = await server.visitor().get("health/ready");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect((await server.visitor().fetch("HEAD", "health/ready")).status).toBe(200);
  });

  test("a database with older tables is not ready, and the response has no details of it", async () => {
    const other = await startServer(database);
    await sql`alter table kysely_migration rename to kysely_migration_away`.execute(database.db);
    try {
      const { status, text } = await other.visitor().get("health/ready");
      expect(status).toBe(503);
      expect(JSON.parse(text)).toEqual({
        message: "The database's tables are older than this server.",
        request_id: expect.any(String),
      });
      expect((await other.visitor().get("health/live")).status).toBe(200);
    } finally {
      await sql`alter table kysely_migration_away rename to kysely_migration`.execute(database.db);
      await other.close();
    }
  });

  test("a stopping server is live but not ready, and still serves", async () => {
    const other = await startServer(database);
    other.services.readiness.startStopping();
    const visitor = other.visitor();
    expect((await visitor.get("health/live")).status).toBe(200);
    const { status, headers } = await visitor.get("health/ready");
    expect(status).toBe(503);
    expect(headers.get("Retry-After")).toBeTruthy();
    expect((await visitor.get("info/")).status).toBe(200);
    await other.close();
  });
});
