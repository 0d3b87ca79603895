// `npm run test:quick [-- BASE]`: checks types and lint, and runs the unit and server tests affected by changes since
// BASE. BASE is a commit; the default HEAD means uncommitted changes.

import { run } from "./run.mjs";
import { checkTypes, PARTS_WITH_TYPES } from "./types.mjs";

const base = process.argv[2] ?? "HEAD";
const started = Date.now();

const results = [
  ["lint and format", await run("biome", ["ci", "--colors=off", "--error-on-warnings", "."])],
  ...(await checkTypes(PARTS_WITH_TYPES)).map(([part, code]) => [`types: ${part}`, code]),
  [`tests affected by changes since ${base}`, await run("vitest", ["run", "--changed", base, "--passWithNoTests"])],
];

for (const [name, code] of results) console.log(`${code === 0 ? "ok    " : "FAILED"} ${name}`);
const failed = results.filter(([, code]) => code !== 0).length;
console.log(`${results.length - failed} passed, ${failed} failed (${Math.round((Date.now() - started) / 1000)} s)`);
process.exitCode = failed === 0 ? 0 : 1;
