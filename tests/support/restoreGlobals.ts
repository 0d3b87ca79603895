import { afterAll, vi } from "vitest";

/** Leaves nothing that a test file replaced to the next file of the same worker, which shares its modules and globals. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
