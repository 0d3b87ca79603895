// Runs all tests: checks, unit and server tests, then the built application in a real browser. Repeats all failures at
// the end, for readers who see only the end of the output.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runBrowserTests, stateFolder } from "./browserTests.mjs";
import { RETRIED_REPORT } from "./retriedTests.mjs";
import { root, run, runPrintingLater } from "./run.mjs";
import { compareWithFast, SHORT_WALKS, walkSlowly } from "./slowNetwork.mjs";

const REPORT = join("node_modules", ".cache", "vitest-report.json");
const REPORTERS = ["default", "json", "scripts/retriedTests.mjs"].map((name) => `--reporter=${name}`);

/** Browser tests that failed or passed only on a retry. */
const poorWalks = [];

/** Last lines of each failed check and walk in another browser. */
const failedOutput = [];
const noteFailure = (output) => failedOutput.push(...output.trimEnd().split("\n").slice(-40));

/** Arguments of Node for the walk in Firefox and Safari's engine, where they are installed. */
const OTHER_BROWSERS = ["--experimental-websocket", "--import", "tsx", "tests/browsers/main.ts"];

/** Seeds of the slow network. */
const SEEDS = [1];

/**
 * Groups of lanes that run at the same time; the steps of a lane follow each other. The walks on the slow network
 * mostly wait, so other steps run beside them. The tests' programs are built before, because a build replaces the
 * server's files, and the walks start servers.
 */
const groups = [
  [
    [
      ["build", () => run("node", ["scripts/build.mjs", "--if-changed"])],
      ["build of the tests' programs", () => run("node", ["scripts/build.mjs", "--if-changed", "--server", "--tests"])],
    ],
  ],
  [[["first download", () => run("node", ["scripts/size.mjs"])]]],
  [
    [
      ["checks", () => runPrintingLater("node", ["scripts/check.mjs"], noteFailure)],
      ["other browsers", () => runPrintingLater("node", [...OTHER_BROWSERS, "--short"], noteFailure)],
      ["unit and server tests", runTests],
    ],
    [["slow network", () => walkSlowly(SEEDS, SHORT_WALKS)]],
  ],
  [[["browser tests", runWalks]]],
  [[["same data on a slow network", () => compareWithFast(SEEDS, SHORT_WALKS)]]],
];

for (const path of [join(root, REPORT), RETRIED_REPORT, stateFolder("fast")])
  rmSync(path, { force: true, recursive: true });
const results = [];
for (const lanes of groups) {
  const names = lanes.flat().map(([name]) => name);
  console.log(`\n== ${names.join(", ")} ==`);
  results.push(...(await Promise.all(lanes.map(runLane))).flat());
}

console.log("");
for (const line of failedOutput) console.log(line);
for (const line of failedTests()) console.log(line);
for (const name of retriedTests()) console.log(`PASSED ONLY ON A RETRY  ${name}`);
for (const { name, status, error } of poorWalks)
  console.log(`${status === "flaky" ? "PASSED ONLY ON A RETRY" : "FAILED"}  ${name}: ${error}`);
for (const { name, code, seconds } of results)
  console.log(`${code === 0 ? "passed" : "FAILED"}  ${name} (${seconds} s)`);
const failed = results.filter((result) => result.code !== 0).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runLane(steps) {
  const ended = [];
  for (const step of steps) ended.push(await runStep(step));
  return ended;
}

async function runStep([name, step]) {
  const started = Date.now();
  const code = await step();
  return { name, code, seconds: Math.round((Date.now() - started) / 1000) };
}

/**
 * Runs the unit and server tests. Long tests of features run on one of the two databases, see `describeOnDatabases`;
 * `npm run test:databases` runs them on both.
 */
function runTests() {
  return run("vitest", ["run", ...REPORTERS, `--outputFile.json=${REPORT}`], { LIMN_ONE_DATABASE: "1" });
}

/** Runs the browser tests, and records the stored state of the short ones for comparison with the slow network. */
async function runWalks() {
  const env = { LIMN_STATE_DIR: stateFolder("fast"), LIMN_STATE_SPECS: SHORT_WALKS.join() };
  const { code, tests } = await runBrowserTests("fast", [], env);
  poorWalks.push(...tests.filter(({ status }) => status === "flaky" || status === "unexpected"));
  return code;
}

/** Returns the names of unit and server tests that passed only on a retry; CI retries once. */
function retriedTests() {
  try {
    return JSON.parse(readFileSync(RETRIED_REPORT, "utf8"));
  } catch {
    return [];
  }
}

/** Returns the names of failed unit and server tests, each with the first line of the reason. */
function failedTests() {
  try {
    const { testResults } = JSON.parse(readFileSync(join(root, REPORT), "utf8"));
    return testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((result) => result.status === "failed");
      if (failed.length === 0) return status === "failed" ? [`FAILED  ${name}: ${firstLine(message)}`] : [];
      return failed.map(
        ({ fullName, failureMessages }) => `FAILED  ${name}: ${fullName}: ${firstLine(failureMessages[0])}`,
      );
    });
  } catch {
    return [];
  }
}

function firstLine(text = "") {
  return text.split("\n", 1)[0];
}
