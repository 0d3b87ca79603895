import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CrashablePostgres, startCrashablePostgres } from "../../support/crashablePostgres";
import { makeFaultyDisk } from "../../support/faultyDisk";
import { isNotSaved, isSaved, missingNames, startLedger } from "../../support/ledger";
import { type LiveServer, startLiveServer } from "../../support/liveServer";
import { makeNextVersion } from "../../support/nextVersion";
import { postgresFolder } from "../../support/postgres";
import { TestClient } from "../../support/testClient";

const bin = postgresFolder();
if (!bin) console.warn("SKIPPED: faults of a PostgreSQL server need an installation of it (npm test installs it).");

describe.skipIf(!bin)("two processes on a PostgreSQL server", () => {
  const disk = makeFaultyDisk();
  let postgres: CrashablePostgres;
  const servers: LiveServer[] = [];
  let clients: TestClient[];
  const stored = async (client: TestClient): Promise<string[]> =>
    (await client.get("category/")).body.map((category: { name: string }) => category.name);

  beforeAll(async () => {
    postgres = await startCrashablePostgres(bin ?? "", disk?.env ?? {});
    const first = await startLiveServer({ DATABASE_URL: postgres.url });
    servers.push(first, await startLiveServer({ DATABASE_URL: postgres.url, DATA_DIR: first.dataDir }));
    const ann = new TestClient(first.url);
    await ann.post("user/register", { username: "ann", password: "secret" });
    clients = servers.map(({ url }) => {
      const client = new TestClient(url);
      for (const [name, value] of ann.cookies) client.cookies.set(name, value);
      return client;
    });
  });
  afterAll(async () => {
    for (const server of servers) await server.remove();
    await postgres?.remove();
  });

  it("the processes continue after its postmaster was killed, with everything acknowledged stored once", async () => {
    const pids = servers.map(({ pid }) => pid);
    const ledger = startLedger(clients, "killed");
    for (let round = 0; round < 2; round++) {
      await ledger.more(30, isSaved);
      await postgres.kill();
      await ledger.more(4, isNotSaved);
      await postgres.start();
      await ledger.more(30, isSaved);
    }
    await ledger.stop();
    expect([...new Set(ledger.statuses)].sort()).toEqual([200, 503]);
    expect(servers.map(({ pid }) => pid)).toEqual(pids);
    for (const client of clients) expect(missingNames(ledger, await stored(client))).toEqual([]);
  });

  it.skipIf(!disk)("the processes acknowledge nothing after a failed fsync", async () => {
    const ledger = startLedger(clients, "fsync");
    await ledger.more(30, isSaved);
    disk?.fail("EIO", "sync", "/pg_wal/");
    await ledger.more(1, isNotSaved);
    const from = ledger.statuses.length;
    await ledger.more(10, isNotSaved);
    expect(ledger.statuses.slice(from).filter(isSaved)).toEqual([]);
    disk?.heal();
    await postgres.start();
    await ledger.more(30, isSaved);
    await ledger.stop();
    expect([...new Set(ledger.statuses)].sort()).toEqual([200, 503]);
    for (const client of clients) expect(missingNames(ledger, await stored(client))).toEqual([]);
  });

  it("the next version replaces them one by one, under load, without a lost save or a server error", async () => {
    const [first, second] = servers;
    if (!first || !second) throw new Error("no servers");
    const root = await makeNextVersion();
    const ledger = startLedger(clients, "rolling");
    await ledger.more(20, isSaved);
    await first.kill();
    await first.start({ root });
    // The old version continues on tables that the next one has changed.
    await ledger.more(60, isSaved);
    await second.kill();
    await second.start({ root });
    await ledger.more(30, isSaved);
    await ledger.stop();
    expect([...new Set(ledger.statuses)].filter((status) => ![0, 200, 503].includes(status))).toEqual([]);
    for (const client of clients) {
      expect((await client.get("info/")).body.version).toBe("99.0.0");
      expect(missingNames(ledger, await stored(client))).toEqual([]);
    }
  });
});
