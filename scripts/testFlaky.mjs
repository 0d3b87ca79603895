// `npm run test:flaky -- N [spec ...]`: runs the browser tests N times while another program keeps all cores busy.
// Lists the tests that did not pass every time. Every second round runs on the embedded database alone.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { runBrowserTests } from "./browserTests.mjs";

const [times = "3", ...specs] = process.argv.slice(2);
const files = specs.map((spec) => `tests/e2e/${spec}.spec.ts`);

const busy = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, [
    "-e",
    "const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e7; i++);",
  ]),
);
const end = () => {
  for (const program of busy) program.kill("SIGKILL");
};
process.once("exit", end);

const failures = new Map();
let ran = 0;
for (let round = 1; round <= Number(times); round++) {
  console.log(`\n== round ${round} of ${times} ==`);
  const env = { LIMN_ALL_FAILURES: "1", LIMN_ALL_EMBEDDED: round % 2 === 0 ? "1" : "" };
  const { tests } = await runBrowserTests(`flaky-${round}`, ["--retries=0", ...files], env);
  ran += tests.filter(({ status }) => status !== "skipped").length;
  for (const { name, status } of tests)
    if (status !== "expected" && status !== "skipped") failures.set(name, (failures.get(name) ?? 0) + 1);
}
end();

console.log("");
for (const [name, count] of failures) console.log(`failed ${count} of ${times}: ${name}`);
const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
console.log(`${ran - failed} passed, ${failed} failed`);
process.exitCode = ran > 0 && failed === 0 ? 0 : 1;
