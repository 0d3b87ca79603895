import { defineConfig } from "vitest/config";
import { languages } from "./scripts/languages/languages.ts";
import { SameEnvironment } from "./tests/support/sameEnvironment.ts";

/**
 * Unit and server tests. Many wait (for leases, for processes), a quarter of the time, so there are more workers than
 * cores in small machines.
 */
export default defineConfig({
  plugins: [languages()],
  test: {
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    exclude: ["tests/e2e/**", "tests/bench/**"],
    globalSetup: ["tests/support/globalSetup.ts"],
    pool: "forks",
    maxWorkers: 4,
    // Files share their worker's modules: loading the server's and the page's anew for each took a third of the time.
    isolate: false,
    sequence: { sequencer: SameEnvironment },
    setupFiles: [
      "tests/support/browserStorage.ts",
      "tests/support/restoreGlobals.ts",
      "tests/support/keepCompiled.ts",
      "tests/support/refuseNestedQueries.ts",
    ],
    // Only CI retries, since a busy machine there must not cost a day's work. `npm test` lists retried tests.
    retry: process.env.CI ? 1 : 0,
    // Long, because other programs may keep the machine busy: only failing tests reach the limits.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 600_000 } },
  },
});
