// Checks the types of the parts, each with its own tsconfig.json. Incremental: state is cached for the next run.

import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root, run } from "./run.mjs";

export const PARTS = ["shared", "cli", "model", "workers", "server", "web", "tests"];
/** `model/evaluate` is separate since it uses Node's types, which the rest of the part must not use. */
export const PARTS_WITH_TYPES = [...PARTS, "model/evaluate"];

const CACHE = join(root, "node_modules", ".cache", "types");

/**
 * TypeScript 7, which checks in half the CPU time. It has no API for programs yet, so `typescript` is version 6, which
 * dependency-cruiser and tests import.
 */
const COMPILER = join(root, "node_modules", "typescript-native", "bin", "tsc");

/** Runs at most two compilers at a time. Returns pairs of part and exit code, in the given order. */
export async function checkTypes(parts) {
  mkdirSync(CACHE, { recursive: true });
  const codes = new Map();
  // The largest parts are last in the list and take the longest, so they start first.
  const waiting = [...parts].reverse();
  const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const cache = join(CACHE, `${part.replace("/", "-")}.tsbuildinfo`);
      codes.set(
        part,
        await run("node", [COMPILER, "-p", `${part}/tsconfig.json`, "--incremental", "--tsBuildInfoFile", cache]),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  return parts.map((part) => [part, codes.get(part)]);
}
