// The whole test: checks, unit and server tests, then the built application in a real browser. What failed is said once
// more at the end, where it is seen when only the end of the output is kept.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run.mjs";

const REPORT = join("node_modules", ".cache", "vitest-report.json");
const REPORTERS = ["--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`];

const steps = [
  ["checks", () => run("node", ["scripts/check.mjs"])],
  ["unit and server tests", () => run("vitest", ["run", ...REPORTERS])],
  ["build", () => run("node", ["scripts/build.mjs", "--if-changed"])],
  ["browser tests", () => run("playwright", ["test"])],
];

rmSync(join(root, REPORT), { force: true });
const results = [];
for (const [name, step] of steps) {
  console.log(`\n== ${name} ==`);
  const started = Date.now();
  const code = await step();
  results.push({ name, code, seconds: Math.round((Date.now() - started) / 1000) });
}

console.log("");
for (const line of failedTests()) console.log(line);
for (const { name, code, seconds } of results)
  console.log(`${code === 0 ? "passed" : "FAILED"}  ${name} (${seconds} s)`);
const failed = results.filter((result) => result.code !== 0).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Names of failed unit and server tests, each with the first line of why. */
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
