import { afterAll, vi } from "vitest";

/**
 * Restores everything that a test file replaced, because the next file of the same worker shares its modules and
 * globals.
 */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
