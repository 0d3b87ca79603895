// Builds the files that `npm start` runs: the web application in dist/web, the server in dist/. `--if-changed` skips
// each of the two if its sources have not changed since the last build. `--server` builds only the server, `--tests`
// includes the tests' programs.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildServer, SERVER_PARTS } from "./buildServer.mjs";
import { precompress } from "./precompress.mjs";
import { hashOf, root, run } from "./run.mjs";

const hasOption = (option) => process.argv.includes(option);
const withTests = hasOption("--tests");

await buildIfChanged({
  stamp: withTests ? "build-tests.json" : "build-server.json",
  sources: [...SERVER_PARTS, "scripts/buildServer.mjs", "package-lock.json", ...(withTests ? ["tests/support"] : [])],
  build: () => buildServer({ withTests }),
});
if (!hasOption("--server"))
  await buildIfChanged({
    stamp: "build.json",
    sources: [
      "web",
      "workers",
      "model",
      "shared",
      "docs/guide",
      "vite.config.ts",
      "scripts/cachedFile.ts",
      "scripts/languages",
      "scripts/precompress.mjs",
      "package-lock.json",
    ],
    build: buildWeb,
  });

async function buildWeb() {
  const code = await run("vite", ["build"]);
  if (code !== 0) process.exit(code);
  await precompress(join(root, "dist", "web", "assets"));
}

async function buildIfChanged({ stamp, sources, build }) {
  const path = join(root, "dist", stamp);
  const hash = hashOf(sources);
  if (hasOption("--if-changed") && hashIn(path) === hash) return;
  await build();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ hash }));
}

function hashIn(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).hash;
  } catch {
    return null;
  }
}
