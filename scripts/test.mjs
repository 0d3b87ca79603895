// The whole test: checks, unit and server tests, then the built application in a real browser.

import { run } from "./run.mjs";

const steps = [
  ["checks", () => run("node", ["scripts/check.mjs"])],
  ["unit and server tests", () => run("vitest", ["run"])],
  ["build", () => run("node", ["scripts/build.mjs", "--if-changed"])],
  ["browser tests", () => run("playwright", ["test"])],
];

const results = [];
for (const [name, step] of steps) {
  console.log(`\n== ${name} ==`);
  const started = Date.now();
  const code = await step();
  results.push({ name, code, seconds: Math.round((Date.now() - started) / 1000) });
}

console.log("");
for (const { name, code, seconds } of results)
  console.log(`${code === 0 ? "passed" : "FAILED"}  ${name} (${seconds} s)`);
const failed = results.filter((result) => result.code !== 0).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
