import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServerDatabase, dropServerDatabase } from "../support/databases";
import { eventually } from "../support/eventually";
import { type Haproxy, haproxyProgram, startHaproxy } from "../support/haproxy";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { postgresFolder } from "../support/postgres";
import { retrying } from "../support/retryingClient";
import { cookieOfClient, nextEvent, openSocket } from "../support/sockets";
import { TestClient } from "../support/testClient";

const program = haproxyProgram();
const canRun = program !== undefined && postgresFolder() !== undefined;
if (!canRun) console.warn("SKIPPED: two servers behind HAProxy need haproxy (apt-get install haproxy) and PostgreSQL.");

describe.skipIf(!canRun)("two servers behind HAProxy, without sticky sessions", () => {
  const servers: LiveServer[] = [];
  let database: string;
  let proxy: Haproxy;
  let ann: TestClient;

  beforeAll(async () => {
    database = await createServerDatabase("limn_template");
    // DRAIN_SECONDS is more than HAProxy needs to notice on a busy machine: two probes, a second apart.
    const env = { DATABASE_URL: database, TRUST_PROXY: "true", DRAIN_SECONDS: "6", METRICS_OPEN: "true" };
    const first = await startLiveServer(env);
    servers.push(first, await startLiveServer({ ...env, DATA_DIR: first.dataDir }));
    proxy = await startHaproxy(program ?? "", [first.url, servers[1]?.url ?? ""]);
    await eventually(async () => expect(await proxy.serversUp()).toHaveLength(2));
    ann = new TestClient(proxy.url);
    expect((await ann.post("user/register", { username: "ann", password: "secret" })).status).toBe(200);
  });
  afterAll(async () => {
    await proxy?.stop();
    for (const server of servers) await server.remove();
    await dropServerDatabase(database);
  });

  /** Users who read and save without a pause, through HAProxy. */
  function startLoad(prefix: string) {
    const statuses: number[] = [];
    const names: string[] = [];
    const repeated = new Map<number, number>();
    let isOver = false;
    const work = async (user: number) => {
      const client = retrying(ann.copy());
      for (let n = 0; !isOver; n++) {
        const name = `${prefix} ${user} ${n}`;
        const saved = await client.call("POST", "category/", { name });
        if (saved === 200) names.push(name);
        statuses.push(saved, await client.call("GET", "dataset/data"));
      }
      for (const [status, times] of client.repeated) repeated.set(status, (repeated.get(status) ?? 0) + times);
    };
    const working = [0, 1, 2, 3].map(work);
    return {
      statuses,
      names,
      repeated,
      async stop() {
        isOver = true;
        await Promise.all(working);
      },
    };
  }

  async function storedNames(): Promise<string[]> {
    return (await ann.get("category/")).body.map((category: { name: string }) => category.name);
  }

  test("restarting one after another under load: no error, no repeated request, and each save stored once", async () => {
    const socket = openSocket(proxy.url, cookieOfClient(ann), { reconnection: true });
    await nextEvent(socket, "connect");
    let disconnections = 0;
    socket.on("disconnect", () => disconnections++);
    const load = startLoad("rolling");
    for (const [index, server] of servers.entries()) {
      expect(await server.stop()).toBe(0);
      expect(await proxy.serversUp()).toEqual([index === 0 ? "limn-2" : "limn-1"]);
      await server.start();
      await expect.poll(() => proxy.serversUp()).toEqual(["limn-1", "limn-2"]);
    }
    await load.stop();
    expect(new Set(load.statuses)).toEqual(new Set([200]));
    expect(Object.fromEntries(load.repeated)).toEqual({});
    const stored = await storedNames();
    expect(load.names.filter((name) => stored.filter((each) => each === name).length !== 1)).toEqual([]);
    // Both servers were restarted, so the page's connection moved at least once, and is open again.
    expect(disconnections).toBeGreaterThan(0);
    await expect.poll(() => socket.connected).toBe(true);
    socket.close();
    console.info(`rolling restart: ${load.statuses.length} requests`);
  });

  test("killing one under load: a client that repeats its requests sees no error, and saves are stored once", async () => {
    const [first] = servers;
    const load = startLoad("killed");
    await expect.poll(() => load.statuses.length).toBeGreaterThan(20);
    await first?.kill();
    const seen = load.statuses.length;
    await expect.poll(() => load.statuses.length).toBeGreaterThan(seen + 40);
    await first?.start();
    await load.stop();
    // A command whose process died between its commit and its response is not done again, see decision 36.
    expect([...new Set(load.statuses)].filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const stored = await storedNames();
    expect(load.names.filter((name) => stored.filter((each) => each === name).length !== 1)).toEqual([]);
  });

  test("requests have the proxy's id, and metrics are sent by the servers, not through the proxy", async () => {
    expect((await ann.get("info/")).headers.get("X-Request-Id")).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect((await ann.fetch("GET", "/metrics")).status).toBe(404);
    const texts = await Promise.all(servers.map(async ({ url }) => (await fetch(`${url}metrics`)).text()));
    for (const text of texts) expect(text).toMatch(/^limn_http_requests_total\{.*route="\/api\/health".*\} \d+$/m);
  });
});
