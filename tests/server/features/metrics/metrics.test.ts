import parse, { type Family } from "parse-prometheus-text-format";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBothDatabases, type TestDatabase } from "../../../support/databases";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

const TOKEN = "a-token-for-the-metrics";

describeOnBothDatabases("metrics", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  let ann: TestUser;
  beforeAll(async () => {
    database = await open();
    server = await startServer(database, { env: { METRICS_TOKEN: TOKEN, BASE_PATH: "limn" } });
    ann = await server.user("ann");
  });
  afterAll(() => server.close());

  const ask = (headers: Record<string, string> = {}) => server.visitor().fetch("GET", "/limn/metrics", { headers });
  const read = async () => {
    const response = await ask({ Authorization: `Bearer ${TOKEN}` });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toMatch(/^text\/plain; version=0\.0\.4/);
    return new Map(parse(await response.text()).map((family) => [family.name, family]));
  };
  /** Returns the value of the metric with these labels; undefined if there is none. */
  const valueIn = (families: Map<string, Family>, name: string, labels: Record<string, string> = {}) => {
    const found = families
      .get(name)
      ?.metrics.find((metric) => Object.entries(labels).every(([label, value]) => metric.labels?.[label] === value));
    return found?.value === undefined ? undefined : Number(found.value);
  };

  test("without the token, and with a wrong one, the response is 401 and shows nothing", async () => {
    for (const headers of [
      {},
      { Authorization: "Bearer wrong" },
      { Authorization: `Bearer ${TOKEN}x` },
      { Authorization: `Bearer ${TOKEN.slice(0, -1)}` },
      { Authorization: `Basic ${btoa(`ann:${TOKEN}`)}` },
    ] as Record<string, string>[]) {
      const response = await ask(headers);
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await response.text()).not.toContain("limn_");
    }
    const session = await ann.fetch("GET", "/limn/metrics");
    expect(session.status).toBe(401);
  });

  test("requests are counted by declared path and status, never by the path that was requested", async () => {
    await ann.get("dataset/4242");
    await ann.get("dataset/4243");
    await ann.get("no/such/4244");
    await server.visitor().fetch("GET", "/limn/assets/4245.js");
    await ann.post("dataset/", { name: "counted" });
    await expect
      .poll(async () =>
        valueIn(await read(), "limn_http_requests_total", { route: "/api/dataset/{id}", method: "GET", status: "404" }),
      )
      .toBe(2);
    const families = await read();
    const counted = (labels: Record<string, string>) => valueIn(families, "limn_http_requests_total", labels);
    expect(counted({ route: "/api/dataset/", method: "POST", status: "200" })).toBe(1);
    expect(counted({ route: "other calls", status: "404" })).toBe(1);
    expect(counted({ route: "pages and files", status: "404" })).toBe(1);
    expect(families.get("limn_http_request_duration_seconds")?.type).toBe("HISTOGRAM");
    const text = await (await ask({ Authorization: `Bearer ${TOKEN}` })).text();
    const all = 'limn_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/api/dataset/{id}"} 2';
    expect(text.split("\n")).toContain(all);
    expect(text).not.toMatch(/[/]424\d/);
    expect(text).not.toContain(TOKEN);
  });

  test("tasks are counted by state, with the age of the oldest that waits", async () => {
    const task = { kind: "scan", name: "a scan", payload: {} };
    await database.db
      .insertInto("tasks")
      .values([
        { ...task, key: "1", created_at: new Date(Date.now() - 3600_000) },
        { ...task, key: "2" },
        { ...task, key: "3", state: "done" },
      ] as never)
      .execute();
    const fresh = await startServer(database, { env: { METRICS_OPEN: "true" } });
    try {
      const response = await fresh.visitor().fetch("GET", "/metrics");
      const families = new Map(parse(await response.text()).map((family) => [family.name, family]));
      const count = (state: string) => valueIn(families, "limn_tasks", { state });
      expect([count("queued"), count("running"), count("done")]).toEqual([2, 0, 1]);
      expect(valueIn(families, "limn_task_queue_oldest_seconds")).toBeGreaterThan(3_590);
    } finally {
      await fresh.close();
    }
  });

  test("process, event loop, database, sockets and storage are measured", async () => {
    const families = await read();
    expect(valueIn(families, "limn_ready")).toBe(1);
    expect(valueIn(families, "limn_sockets")).toBe(0);
    expect(valueIn(families, "limn_database_waiting")).toBe(0);
    const kind = { database: database.kind };
    expect(valueIn(families, "limn_info", kind)).toBe(1);
    for (const folder of ["data", "datasets"]) {
      const free = valueIn(families, "limn_storage_free_bytes", { folder });
      expect(free).toBeGreaterThan(0);
      expect(valueIn(families, "limn_storage_size_bytes", { folder })).toBeGreaterThanOrEqual(free ?? 0);
    }
    for (const name of [
      "process_resident_memory_bytes",
      "process_cpu_seconds_total",
      "nodejs_eventloop_lag_p99_seconds",
    ])
      expect(valueIn(families, name), name).toBeGreaterThanOrEqual(0);
    for (const { name, help } of families.values()) expect(help, name).not.toBe("");
  });

  test("a stopping server reports that it is not ready", async () => {
    const other = await startServer(database, { env: { METRICS_OPEN: "true" } });
    other.services.readiness.startStopping();
    expect(await (await other.visitor().fetch("GET", "/metrics")).text()).toMatch(/^limn_ready 0$/m);
    await other.close();
  });

  test("metrics are off by default", async () => {
    const other = await startServer(database);
    expect((await other.visitor().fetch("GET", "/metrics")).status).toBe(404);
    await other.close();
  });

  test("other methods are refused", async () => {
    expect((await server.visitor().fetch("POST", "/limn/metrics")).status).toBe(405);
    const head = await server
      .visitor()
      .fetch("HEAD", "/limn/metrics", { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(head.status).toBe(200);
  });
});
