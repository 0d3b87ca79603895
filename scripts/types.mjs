// Checks the types of the parts, each by its own tsconfig.json, and remembers what it knows for the next time.

import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root, run } from "./run.mjs";

export const PARTS = ["shared", "model", "workers", "server", "web", "tests"];
/** `model/evaluate` runs in Node, which the rest of its part must not know. */
export const PARTS_WITH_TYPES = [...PARTS, "model/evaluate"];

const CACHE = join(root, "node_modules", ".cache", "types");

/** Runs as many compilers at a time as there are cores. Returns pairs of part and exit code, in the order given. */
export async function checkTypes(parts) {
  mkdirSync(CACHE, { recursive: true });
  const codes = new Map();
  // The largest parts come last in the list and take longest, so they begin.
  const waiting = [...parts].reverse();
  const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const cache = join(CACHE, `${part.replace("/", "-")}.tsbuildinfo`);
      codes.set(part, await run("tsc", ["-p", `${part}/tsconfig.json`, "--incremental", "--tsBuildInfoFile", cache]));
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  return parts.map((part) => [part, codes.get(part)]);
}
