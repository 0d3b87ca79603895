// Builds the server: each TypeScript file of it becomes a JavaScript file at the same place under dist/, so that it starts,
// and starts threads, without compiling. Files import each other as in the sources, only with the names that Node wants.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { root } from "./run.mjs";

/** What runs in the server's processes. */
export const SERVER_PARTS = ["server", "shared", "model"];

/** Programs of the tests that import the server; each runs as a process of its own. */
const TEST_PROGRAMS = join("tests", "support");

/**
 * Writes the files that changed and removes those whose source has gone. `withTests`: the programs of the tests too.
 * `folder`: where the sources are, and `dist/` will be.
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

/** Every import stays an import: of a package as it is, of a file of ours by the name of what is built from it. */
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

/** A server that starts meanwhile must not read half a file that was right before. */
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
