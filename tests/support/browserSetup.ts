import { startMigrated } from "./migratedPostgres";
import { postgresFolder } from "./postgres";
import { openRunFolder } from "./runFolder";

/**
 * Prepares a run of the browser tests. Returns a function that ends it. Where PostgreSQL is installed it starts a
 * server for `startLiveServer`, but not with LIMN_ALL_EMBEDDED, so that all tests use the embedded database.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const removeRunFolder = openRunFolder();
  const isUsed = postgresFolder() !== undefined && !process.env.LIMN_ALL_EMBEDDED;
  const postgres = isUsed ? await startMigrated() : undefined;
  if (postgres) process.env.LIMN_POSTGRES = postgres.url("");
  return async () => {
    await postgres?.stop();
    removeRunFolder();
  };
}
