// Builds the programs of the server for Node: each becomes a JavaScript file at its source's path under dist/, with all
// modules and packages that it needs. Code that several programs need is in dist/parts/. A program thus loads a few
// files when it starts, instead of two thousand.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";
import { root } from "./run.mjs";

/** Folders of the sources that run in Node: the server's processes and the command line. */
export const SERVER_PARTS = ["server", "shared", "model", "cli"];

/** Programs that people start. */
const PROGRAMS = [
  "server/main.ts",
  "server/worker.ts",
  "cli/main.ts",
  ...["adopt", "backup", "doctor", "migrate", "restore", "storage"].map((name) => `server/cli/${name}.ts`),
];

/** Programs of the tests that import the server. The code that they share is in dist/tests/parts/. */
const TEST_PROGRAMS = ["holder", "taskWorker", "writer"].map((name) => `tests/support/${name}.ts`);

/**
 * Packages that load files of their own at run time: native code, WebAssembly, threads, pages. Those of OpenTelemetry,
 * which may be missing. Also pg, because tests patch it to kill the server at one of its statements.
 */
const UNBUNDLED = [
  "@electric-sql/*",
  "@node-rs/*",
  "@opentelemetry/*",
  "onnxruntime-*",
  "pg",
  "pino",
  "sharp",
  "swagger-ui-dist",
  "thread-stream",
  "typescript",
];

/** An empty source map. */
const NO_MAP = `data:application/json,${encodeURIComponent('{"version":3,"sources":[""],"mappings":"A"}')}`;

/**
 * Milliseconds for which the parts of older builds are kept: running servers still load parts of the build that they
 * were started from.
 */
const KEPT_MS = 7 * 24 * 3600_000;

/**
 * Writes the files that changed and removes those without a source. `withTests` includes the tests' programs. `folder`
 * contains the sources and will contain `dist/`.
 */
export async function buildServer({ withTests = false, folder = root } = {}) {
  const out = join(folder, "dist");
  const threads = [...threadsIn(folder)];
  const written = new Set(await bundle(folder, [...PROGRAMS, ...threads], "parts"));
  if (withTests) for (const path of await bundle(folder, TEST_PROGRAMS, "tests/parts")) written.add(path);
  for (const path of filesIn(join(folder, "server")).filter((path) => path.endsWith(".mjs"))) {
    const copy = join(out, relative(folder, path));
    writeIfChanged(copy, readFileSync(path));
    written.add(copy);
  }
  const built = [...SERVER_PARTS, "tests", "parts"].flatMap((part) => filesIn(join(out, part)));
  for (const path of built) if (!written.has(path) && !isStillNeeded(path)) rmSync(path);
}

/** Bundles programs, and returns the paths of the files. `parts` is the folder for code that several of them share. */
async function bundle(folder, programs, parts) {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: programs,
    outbase: ".",
    outdir: join(folder, "dist"),
    chunkNames: `${parts}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    external: UNBUNDLED,
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    sourcemap: "linked",
    sourcesContent: false,
    plugins: [
      { name: "own URLs", setup: (builder) => builder.onLoad({ filter: /\.ts$/ }, withOwnUrl(folder)) },
      { name: "maps of our code", setup: (builder) => builder.onLoad({ filter: /node_modules/ }, withoutMap) },
    ],
    logLevel: "error",
  });
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents);
  return outputFiles.map(({ path }) => path);
}

/** Gives each of our modules the URL that it would have without bundling, from which it resolves its threads' files. */
function withOwnUrl(folder) {
  return ({ path }) => {
    const text = readFileSync(path, "utf8");
    if (path.includes("node_modules") || !text.includes("import.meta.url")) return undefined;
    const own = relative(folder, path).split(sep).join("/").replace(/\.ts$/, ".js");
    const url = `(import.meta.url.slice(0, import.meta.url.lastIndexOf("/dist/") + 6) + ${JSON.stringify(own)})`;
    return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
  };
}

/**
 * Leaves packages out of the source maps: Node reads the maps at each start, and those of packages would be the largest
 * part.
 */
function withoutMap({ path }) {
  if (!/\.[cm]?js$/.test(path)) return undefined;
  return { contents: `${readFileSync(path, "utf8")}\n//# sourceMappingURL=${NO_MAP}`, loader: "js" };
}

/** Returns the paths of modules that run as threads: those that another module names by a URL (see `startThread`). */
function threadsIn(folder) {
  const threads = new Set();
  for (const path of filesIn(join(folder, "server")).filter((path) => path.endsWith(".ts")))
    for (const [, name] of readFileSync(path, "utf8").matchAll(/new URL\("(\.{1,2}(?:\/\w+)+)", import\.meta\.url\)/g))
      threads.add(relative(folder, join(dirname(path), `${name}.ts`)));
  return threads;
}

function isStillNeeded(path) {
  return dirname(path).endsWith("parts") && Date.now() - statSync(path).mtimeMs < KEPT_MS;
}

/** Leaves unchanged files alone, so that a server starting at the same time never reads an incomplete one. */
function writeIfChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules") return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
