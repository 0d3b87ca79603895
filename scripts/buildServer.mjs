// Builds the server: each of its TypeScript files becomes a JavaScript file at the same path under dist/, so that the
// server and its threads start without compiling. Imports stay the same, but with the file names that Node requires.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { root } from "./run.mjs";

/** Parts that run in the server's processes. */
export const SERVER_PARTS = ["server", "shared", "model"];

/** Folder of test programs that import the server and run in separate processes. */
const TEST_PROGRAMS = join("tests", "support");

/**
 * Writes the files that changed and removes those without a source. `withTests` includes the test programs. `folder`
 * contains the sources and will contain `dist/`.
 */
export async function buildServer({ withTests = false, folder = root } = {}) {
  const out = join(folder, "dist");
  const sourcesIn = (part) => pathsIn(folder, part, (path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));
  const modulesIn = (part) => pathsIn(folder, part, (path) => path.endsWith(".mjs"));
  const parts = withTests ? [...SERVER_PARTS, TEST_PROGRAMS] : SERVER_PARTS;
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: parts.flatMap(sourcesIn),
    outbase: ".",
    outdir: out,
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "linked",
    sourcesContent: false,
    plugins: [{ name: "names for Node", setup: (builder) => builder.onResolve({ filter: /./ }, resolveForNode) }],
    logLevel: "error",
  });
  const written = new Set(outputFiles.map(({ path }) => path));
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents);
  for (const path of parts.flatMap(modulesIn)) {
    writeIfChanged(join(out, path), readFileSync(join(folder, path)));
    written.add(join(out, path));
  }
  for (const path of parts.flatMap((part) => filesIn(join(out, part)))) if (!written.has(path)) rmSync(path);
}

/** Keeps every import external: packages by the same name, our own files by the name of the built file. */
function resolveForNode({ path, kind, resolveDir }) {
  if (kind === "entry-point") return undefined;
  if (!path.startsWith(".")) return { path, external: true };
  const base = path.replace(/\.ts$/, "");
  const isFolder = !existsSync(join(resolveDir, `${base}.ts`)) && existsSync(join(resolveDir, base, "index.ts"));
  const hasExtension = /\.m?js$/.test(base);
  return { path: hasExtension ? base : `${base}${isFolder ? "/index" : ""}.js`, external: true };
}

function pathsIn(folder, part, isWanted) {
  return filesIn(join(folder, part))
    .filter(isWanted)
    .map((path) => relative(folder, path));
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
