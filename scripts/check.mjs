// Static checks: types of each part, lint and format, direction of imports, unused code, commit subjects.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { longSubjects } from "./commitSubjects.mjs";
import { crowdedFolders, folderCycles } from "./folders.mjs";
import { root, run } from "./run.mjs";
import { checkTypes, PARTS, PARTS_WITH_TYPES } from "./types.mjs";

/** Number of modules below which the import checker cannot have seen all code. */
const MIN_MODULES = 100;

let failed = 0;
await step("lint and format", () => run("biome", ["ci", "--colors=off", "--error-on-warnings", "."]));
for (const [part, code] of await checkTypes(PARTS_WITH_TYPES.filter(hasSources)))
  await step(`types: ${part}`, () => code);
await step("direction of imports, cycles and sizes of folders", checkImports);
await step("unused files, exports and packages", () => run("knip", ["--no-progress"]));
await step("commit subjects", checkSubjects);

console.log(`checks: ${failed === 0 ? "all passed" : `${failed} failed`}`);
process.exit(failed === 0 ? 0 : 1);

async function step(name, work) {
  const code = await work();
  if (code !== 0) failed += 1;
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${name}`);
}

/**
 * Checks imports. Fails on a low module count too, since dependency-cruiser reports no violations if it found no code.
 */
function checkImports() {
  const args = ["--config", ".dependency-cruiser.cjs", "--output-type", "json", ...PARTS.filter(hasSources)];
  const result = spawnSync(join(root, "node_modules", ".bin", "depcruise"), args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    shell: process.platform === "win32",
  });
  if (!result.stdout) return fail(result.stderr);
  const { summary, modules } = JSON.parse(result.stdout);
  const own = modules.filter((module) => !module.source.includes("node_modules")).length;
  for (const violation of summary.violations) console.log(describe(violation));
  if (own < MIN_MODULES) return fail(`Found only ${own} modules.`);
  const crowded = checkFolders(modules);
  console.log(`${own} modules, ${summary.violations.length + crowded} violations`);
  return summary.violations.length + crowded === 0 ? 0 : 1;
}

/** Prints folders that import each other or hold too many files. Returns their number. */
function checkFolders(modules) {
  const isProduct = (file) => PARTS.some((part) => part !== "tests" && file.startsWith(`${part}/`));
  const files = modules
    .filter(({ source }) => isProduct(source))
    .map(({ source, dependencies }) => ({
      file: source,
      imports: dependencies.map(({ resolved }) => resolved).filter(isProduct),
    }));
  const cycles = folderCycles(files);
  const crowded = crowdedFolders(files.map(({ file }) => file));
  for (const cycle of cycles) console.log(`folders that import each other: ${cycle.join(", ")}`);
  for (const { folder, count } of crowded) console.log(`too many files in a folder: ${folder} has ${count}`);
  return cycles.length + crowded.length;
}

/** Checks the subjects of commits. Passes with a message if there is no history. */
function checkSubjects() {
  const found = longSubjects(root);
  console.log(found ? `${found.checked} commits` : "There is no git history.");
  for (const { hash, subject } of found?.long ?? []) console.error(`${hash} is longer than 72 characters: ${subject}`);
  return found && found.long.length > 0 ? 1 : 0;
}

/** Returns true if a part has code, not only a README. */
function hasSources(part) {
  return readdirSync(join(root, part), { recursive: true }).some((name) => /\.tsx?$/.test(name));
}

function describe(violation) {
  const target = violation.cycle ? violation.cycle.map((step) => step.name).join(" -> ") : violation.to;
  return `${violation.rule.name}: ${violation.from} -> ${target}`;
}

function fail(message) {
  console.error(message);
  return 1;
}
