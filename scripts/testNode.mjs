// `npm run test:node -- VERSION [FILE ...]`: runs the unit and server tests, or those of the given files, on another
// version of Node, which comes from the npm registry (package `node`).

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root, runWith } from "./run.mjs";

const [version, ...files] = process.argv.slice(2);
if (!version || !/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error("Name a version of Node: npm run test:node -- 24");
  process.exit(1);
}

const found = spawnSync("npx", ["--yes", `node@${version}`, "-p", "process.execPath + ' ' + process.version"], {
  cwd: root,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
  shell: process.platform === "win32",
});
const [program, running] = found.stdout?.trim().split(" ") ?? [];
if (!program || !running?.startsWith(`v${version}`)) {
  console.error(`Node ${version} could not be installed from the npm registry.`);
  process.exit(1);
}
console.log(`Node ${running} at ${program}`);
// Programs that the tests start run on the same Node (`process.execPath`).
process.exitCode = await runWith(program, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...files]);
