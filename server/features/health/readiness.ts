import { unavailable } from "../../base/errors";
import { RecentValue } from "../../base/recentValue";
import { SCHEMA_VERSION } from "../../db/migrate";

/** Milliseconds within which the database must respond. */
const LIMIT_MS = 2_000;
/** Milliseconds for which probes of readiness reuse a response. */
const FRESH_MS = 1_000;

interface Found {
  version: string | undefined;
}

/** Readiness of this process: the database responds, its tables are up to date, and the process is not stopping. */
export class Readiness {
  private isStopping = false;
  private readonly recent: RecentValue<Found>;
  /** Not reused, but simultaneous callers share one query. */
  private readonly current: RecentValue<Found>;

  /**
   * `readVersion` returns the version of the database's tables, which may be newer than this code's while servers are
   * updated one after another. `now` in milliseconds.
   */
  constructor(readVersion: () => Promise<string | undefined>, now?: () => number) {
    const read = async () => ({ version: await readVersion() });
    const options = { limitMs: LIMIT_MS, ...(now && { now }) };
    this.recent = new RecentValue(read, { ...options, freshMs: FRESH_MS });
    this.current = new RecentValue(read, { ...options, freshMs: 0 });
  }

  /** Makes `requireReady` fail from now on, so that a load balancer sends requests to other servers. */
  startStopping(): void {
    this.isStopping = true;
  }

  /** Throws 503 if this server should get no requests. */
  async requireReady(): Promise<void> {
    if (this.isStopping) throw unavailable("This server is stopping. Another one can take the request.");
    requireUpToDate(await this.recent.get());
  }

  /** Throws 503 if the database does not respond now, or its tables are older than this code. */
  async requireDatabase(): Promise<void> {
    requireUpToDate(await this.current.get());
  }
}

function requireUpToDate(found: Found | undefined): void {
  if (!found) throw unavailable("The database is not responding.");
  if (found.version === undefined || found.version < SCHEMA_VERSION)
    throw unavailable("The database's tables are older than this server.");
}
