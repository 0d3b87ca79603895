import { startMigrated } from "./migratedPostgres";
import { postgresFolder } from "./postgres";
import { openRunFolder } from "./runFolder";

/**
 * Prepares a run of the browser tests. Returns a function that ends it. Where PostgreSQL is installed it starts a server
 * for `startLiveServer`.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const removeRunFolder = openRunFolder();
  const postgres = postgresFolder() === undefined ? undefined : await startMigrated();
  if (postgres) process.env.LIMN_POSTGRES = postgres.url("");
  return async () => {
    await postgres?.stop();
    removeRunFolder();
  };
}
