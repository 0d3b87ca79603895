// Measures the download for the first view of the datasets page: `node scripts/size.mjs` after a build. Prints gzip
// sizes of the page, its scripts with their static imports, and their styles. Fails above the budget. It shows which
// files make up the page; tests/e2e/download.spec.ts measures what a browser really requests.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./run.mjs";

const BUDGET_KB = 300;
const folder = join(root, "dist", "web");
const manifest = JSON.parse(readFileSync(join(folder, ".vite", "manifest.json"), "utf8"));

const files = new Set(["index.html", "scheme.js"]);
addChunk("index.html");

const sizes = [...files].map((name) => ({ name, kB: gzipSync(readFileSync(join(folder, name))).length / 1000 }));
for (const { name, kB } of sizes.sort((a, b) => b.kB - a.kB)) console.log(`${kB.toFixed(1).padStart(8)} kB  ${name}`);
const total = sizes.reduce((sum, { kB }) => sum + kB, 0);
console.log(`${total.toFixed(1).padStart(8)} kB  total in ${sizes.length} files (budget ${BUDGET_KB} kB, gzip)`);
process.exit(total > BUDGET_KB ? 1 : 0);

function addChunk(key) {
  const chunk = manifest[key];
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const next of chunk.imports ?? []) addChunk(next);
}
