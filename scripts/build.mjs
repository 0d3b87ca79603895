// Builds the web application into dist/web. `--if-changed` does nothing when no source changed since the last build.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { precompress } from "./precompress.mjs";
import { hashOf, root, run } from "./run.mjs";

const STAMP = join(root, "dist", "build.json");
const hash = hashOf([
  "web",
  "workers",
  "model",
  "shared",
  "docs/guide",
  "vite.config.ts",
  "scripts/keptFile.ts",
  "scripts/precompress.mjs",
  "package-lock.json",
]);

if (process.argv.includes("--if-changed") && readStamp() === hash) process.exit(0);
const code = await run("vite", ["build"]);
if (code !== 0) process.exit(code);
await precompress(join(root, "dist", "web", "assets"));
mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(STAMP, JSON.stringify({ hash }));

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, "utf8")).hash;
  } catch {
    return null;
  }
}
