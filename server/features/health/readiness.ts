import { unavailable } from "../../base/errors";
import { RecentValue } from "../../base/recentValue";
import { SCHEMA_VERSION } from "../../db/migrate";

/** Milliseconds within which the database must respond, and for which probes reuse its response. */
const TIMES = { limitMs: 2_000, freshMs: 1_000 };

/** Tells if this process can serve: the database responds, its tables are up to date, and it is not stopping. */
export class Readiness {
  private isStopping = false;
  private readonly database: RecentValue<{ version: string | undefined }>;

  /**
   * `readVersion` returns the version of the database's tables, which may be newer than this code's while servers are
   * updated one after another. `now` in milliseconds.
   */
  constructor(readVersion: () => Promise<string | undefined>, now?: () => number) {
    const read = async () => ({ version: await readVersion() });
    this.database = new RecentValue(read, { ...TIMES, ...(now && { now }) });
  }

  /** Makes `requireReady` fail from now on, so that a load balancer sends requests to other servers. */
  startStopping(): void {
    this.isStopping = true;
  }

  /** Throws 503 if this server should get no requests. */
  async requireReady(): Promise<void> {
    if (this.isStopping) throw unavailable("This server is stopping. Another one can take the request.");
    await this.requireDatabase();
  }

  /** Throws 503 if the database does not respond, or its tables are older than this code. */
  async requireDatabase(): Promise<void> {
    const found = await this.database.get();
    if (!found) throw unavailable("The database is not responding.");
    if (found.version === undefined || found.version < SCHEMA_VERSION)
      throw unavailable("The database's tables are older than this server.");
  }
}
