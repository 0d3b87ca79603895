import { defineConfig } from "vitest/config";

/** Unit and server tests. Some wait (for leases, for processes), so there is a worker more than cores in small machines. */
export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    exclude: ["tests/e2e/**", "tests/bench/**"],
    globalSetup: ["tests/support/globalSetup.ts"],
    pool: "forks",
    maxWorkers: 3,
    // Nothing is tried twice, but by CI: there a busy machine must not cost a day's work. `npm test` names such tests.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
