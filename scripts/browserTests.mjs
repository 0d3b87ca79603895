// Runs the browser tests and reads their report, for `npm test`, `npm run test:slow` and `npm run test:flaky`.

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root, run } from "./run.mjs";

const REPORTS = join(root, "node_modules", ".cache", "browser-tests");

/** Returns the folder in which the tests record the stored state at their end (tests/support/storedState.ts). */
export const stateFolder = (name) => join(REPORTS, `state-${name}`);

/**
 * Runs Playwright with these arguments. Returns its exit code and the tests that it ran, each with its name, its status
 * (`expected`, `unexpected`: failed, `flaky`: passed on a retry, or `skipped`) and the first lines of its first error.
 * `name` is the name of the report.
 */
export async function runBrowserTests(name, args = [], env = {}) {
  mkdirSync(REPORTS, { recursive: true });
  const report = join(REPORTS, `${name}.json`);
  rmSync(report, { force: true });
  const code = await run("playwright", ["test", "--reporter=list,json", ...args], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...env,
  });
  return { code, tests: readTests(report) };
}

function readTests(report) {
  try {
    return JSON.parse(readFileSync(report, "utf8")).suites.flatMap((suite) => testsOf(suite, []));
  } catch {
    return [];
  }
}

function testsOf({ title, suites = [], specs = [] }, above) {
  const names = [...above, title];
  const own = specs.map(({ title, tests: [test] }) => ({
    name: [...names, title].join(" › "),
    status: test?.status,
    error: firstError(test?.results ?? []),
  }));
  return [...own, ...suites.flatMap((suite) => testsOf(suite, names))];
}

/** Returns up to four lines of the first error of these tries, without the colours of a terminal, and its place. */
function firstError(results) {
  const error = results.find((result) => result.error)?.error;
  if (!error) return "";
  const lines = stripVTControlCharacters(error.message ?? "")
    .split("\n")
    .filter((line) => line.trim());
  const place = error.location ? ` (${relative(root, error.location.file)}:${error.location.line})` : "";
  return `${lines.slice(0, 4).join(" | ")}${place}`;
}
