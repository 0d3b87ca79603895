import type { Kysely } from "kysely";
import type { Env } from "../../base/env";
import type { PoolLoad } from "../../base/poolLoad";
import type { Schema } from "../../db/schema";
import type { Readiness } from "../health/readiness";

/** Metrics of this process and of the tasks, in the text format of Prometheus. */
export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  requestStarted(): void;
  requestEnded(request: { method: string; route: string; status: string; seconds: number }): void;
}

/** Sources that are read when metrics are requested. */
export interface MetricsSources {
  env: Env;
  db: Kysely<Schema>;
  readiness: Readiness;
  /** Returns the use of the database's connections. */
  poolLoad: () => PoolLoad | undefined;
  /** Returns the number of open sockets. */
  socketCount: () => number;
}
