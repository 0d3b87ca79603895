// Vitest reporter that records tests which passed only on a retry. `npm test` lists them at its end.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./run.mjs";

export const RETRIED_REPORT = join(root, "node_modules", ".cache", "vitest-retried.json");

export default class RetriedTests {
  #names = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#names.push(`${relative(root, test.module.moduleId)}: ${test.fullName}`);
  }

  onTestRunEnd() {
    mkdirSync(dirname(RETRIED_REPORT), { recursive: true });
    writeFileSync(RETRIED_REPORT, JSON.stringify(this.#names));
  }
}
