// Runs browser tests on a slow network: each response is delayed by up to 3 seconds, socket messages by up to 1 second.
// The stored state must be the same as after the same test on a fast network.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runBrowserTests, stateFolder } from "./browserTests.mjs";

/** Specs of `npm test`: the first day of an annotator, forms, and drawing while other users draw. */
export const SHORT_WALKS = ["firstDay", "forms", "accounts"];

/**
 * Runs the specs once for each seed and records the stored state, for `compareWithFast`. Returns the number of failed
 * tests. `specs`: file names without `.spec.ts`; an empty list means all. With `fails`, the first call of each kind
 * that pages repeat by themselves fails.
 */
export async function walkSlowly(seeds, specs, { fails = false } = {}) {
  let failures = 0;
  for (const seed of seeds) {
    const folder = slowFolder(seed);
    rmSync(folder, { recursive: true, force: true });
    const env = { LIMN_SLOW_SEED: String(seed), LIMN_SLOW_FAILS: fails ? "1" : "", LIMN_STATE_DIR: folder };
    const { code, tests } = await runBrowserTests(`slow-${seed}`, ["--workers=3", ...filesOf(specs)], env);
    failures += Math.max(tests.filter(({ status }) => status === "unexpected").length, code === 0 ? 0 : 1);
  }
  return failures;
}

/**
 * Compares what `walkSlowly` recorded with what the same specs stored on a fast network. Returns the number of servers
 * that differ.
 */
export function compareWithFast(seeds, specs) {
  return seeds
    .map((seed) => compareStates(stateFolder("fast"), slowFolder(seed), specs))
    .reduce((sum, count) => sum + count, 0);
}

const slowFolder = (seed) => stateFolder(`slow-${seed}`);

/** Runs the specs on a fast network and records the stored state for comparison. Returns the exit code. */
export async function recordFast(specs) {
  rmSync(stateFolder("fast"), { recursive: true, force: true });
  return (await runBrowserTests("fast", filesOf(specs), { LIMN_STATE_DIR: stateFolder("fast") })).code;
}

/** Prints each line that only one of two runs stored. Returns the number of files that differ. */
function compareStates(fast, slow, specs) {
  const names = stateFiles(fast, specs);
  const differing = names.filter((name) => {
    const [expected, actual] = [fast, slow].map((folder) => linesOf(join(folder, name)));
    const missing = withoutLinesOf(expected, actual);
    const extra = withoutLinesOf(actual, expected);
    for (const line of missing) console.log(`DIFFERS ${name}: only stored on a fast network: ${line}`);
    for (const line of extra) console.log(`DIFFERS ${name}: only stored on a slow network: ${line}`);
    return missing.length + extra.length > 0;
  });
  console.log(`${names.length - differing.length} of ${names.length} servers stored the same as on a fast network`);
  return names.length === 0 ? 1 : differing.length;
}

const filesOf = (specs) => specs.map((spec) => `tests/e2e/${spec}.spec.ts`);

function stateFiles(folder, specs) {
  return readdirSync(folder).filter((name) => specs.length === 0 || specs.includes(name.replace(/-\d+\.json$/, "")));
}

/** Returns the lines of all tables, each with the table's name. Empty if the test ended before it recorded them. */
function linesOf(path) {
  try {
    const tables = JSON.parse(readFileSync(path, "utf8"));
    return Object.entries(tables).flatMap(([table, lines]) => lines.map((line) => `${table} ${line}`));
  } catch {
    return [];
  }
}

/** Returns `all` without `others`, where each of `others` removes one equal line. */
function withoutLinesOf(all, others) {
  const counts = new Map();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return all.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}
