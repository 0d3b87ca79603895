import { readFileSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Set by `npm run test:slow`: a slow network lies between pages and servers, so everything takes its time. */
const slow = process.env.LIMN_SLOW_SEED ? 2 : 1;

/**
 * Browser tests in the Chromium, or its headless shell, that scripts/setup.mjs found. Each spec starts servers of its
 * own (tests/support).
 */
const setup = JSON.parse(readFileSync(new URL("node_modules/.cache/limn-setup.json", import.meta.url), "utf8"));

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/support/browserSetup.ts",
  outputDir: "test-results",
  // Runs files in parallel and the tests of a file in order. One worker more than cores: tests wait a third of the
  // time.
  workers: 3,
  // As for the unit tests, only CI retries, and `npm test` lists retried tests.
  retries: process.env.CI ? 1 : 0,
  // Long, because other programs may keep the machine busy: tests wait for signs, and only failing ones reach the
  // limits.
  timeout: slow * 600_000,
  expect: { timeout: slow * 120_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    serviceWorkers: "block",
    // Painting the frames of animations is a tenth of the CPU time. Some specs run with them
    // (tests/support/withMotion.ts).
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: slow * 120_000,
    launchOptions: {
      executablePath: process.env.CHROME_BIN ?? setup.headlessShell ?? setup.browser,
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
