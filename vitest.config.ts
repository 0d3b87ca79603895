import { defineConfig } from "vitest/config";

/** Unit and server tests. Some wait (for leases, for processes), so there is a worker more than cores in small machines. */
export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    exclude: ["tests/e2e/**", "tests/bench/**"],
    globalSetup: ["tests/support/globalSetup.ts"],
    pool: "forks",
    maxWorkers: 3,
    // An unattended run takes a second look at what a busy machine may have upset; the output says which tests those were.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
