import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { version } from "../../base/version";
import type { Metrics, MetricsSources } from "./metrics";
import { addStorageMetrics } from "./storageMetrics";
import { addTaskMetrics } from "./taskMetrics";

/** Bounds in seconds: from a cached response to a long export. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Creates the metrics. Names and units follow https://prometheus.io/docs/practices/naming/; those of the process and of
 * the event loop are the usual ones of Node.
 */
export function openMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addProcessMetrics(registry, sources);
  addTaskMetrics(registry, sources.db);
  addStorageMetrics(registry, sources.env);
  const requests = new Counter({
    name: "limn_http_requests_total",
    help: "Requests that have ended, by declared path and status.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "limn_http_request_duration_seconds",
    help: "Duration of requests until the last byte was sent.",
    labelNames: ["method", "route"],
    buckets: BUCKETS,
    registers,
  });
  const running = new Gauge({
    name: "limn_http_requests_running",
    help: "Requests that have not ended yet.",
    registers,
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    requestStarted: () => running.inc(),
    requestEnded({ method, route, status, seconds }) {
      running.dec();
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
  };
}

function addProcessMetrics(registry: Registry, { env, readiness, poolLoad, socketCount }: MetricsSources): void {
  const registers = [registry];
  const info = new Gauge({
    name: "limn_info",
    help: "Version and kind of database of this process.",
    labelNames: ["version", "database"],
    registers,
  });
  info.set({ version: version().number, database: env.DATABASE_URL ? "server" : "embedded" }, 1);
  new Gauge({
    name: "limn_ready",
    help: "1 if this process may get requests, 0 if its database does not respond or it is stopping.",
    registers,
    async collect() {
      this.set(
        await readiness.requireReady().then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  new Gauge({
    name: "limn_sockets",
    help: "Open connections of pages and scripts that follow changes.",
    registers,
    collect() {
      this.set(socketCount());
    },
  });
  new Gauge({
    name: "limn_database_connections",
    help: "Connections to the database: most that may be open, and those in use.",
    labelNames: ["kind"],
    registers,
    collect() {
      const { connections = 0, used = 0 } = poolLoad() ?? {};
      this.set({ kind: "max" }, connections);
      this.set({ kind: "used" }, used);
    },
  });
  new Gauge({
    name: "limn_database_waiting",
    help: "Queries and transactions that wait for a connection to the database.",
    registers,
    collect() {
      this.set(poolLoad()?.waiting ?? 0);
    },
  });
}
