import { randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOnBothDatabases } from "../../support/databases";
import { type LiveServer, startLiveServer } from "../../support/liveServer";
import { TestClient } from "../../support/testClient";

/** Kills the process right before the first matching statement. */
const killBefore = (statement: string) => ({
  NODE_OPTIONS: `--import ${pathToFileURL("tests/support/crashAt.mjs")}`,
  CRASH_AT: "1",
  CRASH_AFTER: statement,
});

/**
 * A process that dies while it executes a command: the command is executed once and never again, wherever the process
 * dies.
 */
describeOnBothDatabases("a command whose process was killed", (open) => {
  let server: LiveServer;
  let ann: TestClient;
  let endLease: () => Promise<unknown> = async () => undefined;
  beforeAll(async () => {
    const database = await open();
    const { url } = database;
    // Avoids waiting for the lease. The embedded database of the process is not accessible to the test.
    if (url) endLease = () => database.db.updateTable("commands").set({ until: new Date() }).execute();
    server = await startLiveServer(url ? { DATABASE_URL: url } : {});
    ann = new TestClient(server.url);
    await ann.post("user/register", { username: "ann", password: "secret" });
  });
  afterAll(() => server?.remove());

  /** Sends a command to a process that dies at the statement, and again to the next process. */
  async function sendTwice(statement: string, name: string) {
    const more = { headers: { "X-Limn-Command": randomUUID() } };
    const send = () => ann.post("user/tokens", { name, expires_in_days: null }, more);
    await server.stop();
    await server.start({ env: killBefore(statement) });
    await expect(send()).rejects.toThrow();
    await server.ended();
    await server.start();
    await endLease();
    const again = await send();
    const tokens: { name: string }[] = (await ann.get("user/tokens")).body.tokens;
    return { again, stored: tokens.filter((token) => token.name === name).length };
  }

  it("a command killed before storing anything is executed by the next process", async () => {
    const { again, stored } = await sendTwice('insert into "api_tokens"', "before");
    expect([again.status, stored]).toEqual([200, 1]);
  });

  it("a command killed within its transaction is executed by the next process", async () => {
    const { again, stored } = await sendTwice("update commands set is_committed", "within");
    expect([again.status, stored]).toEqual([200, 1]);
  });

  it("a command killed after its commit is not repeated, and the response reports that", async () => {
    const { again, stored } = await sendTwice("update commands set outcome", "after");
    expect([again.status, again.body.code, stored]).toEqual([409, "outcome_unknown", 1]);
    expect((await ann.post("user/tokens", { name: "after", expires_in_days: null })).status).toBe(200);
  });
});
