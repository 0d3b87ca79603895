import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

const WASM = resolve("node_modules/@electric-sql/pglite/dist/pglite.wasm");

let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * Compiles PGlite's WebAssembly once per process and keeps it. V8 gives every later module of the same bytes, in any
 * thread, the same machine code for as long as one of them lives. Without this it would be optimized anew for each test
 * database, which takes longer than the queries of most test files.
 */
export async function keepPgliteCompiled(): Promise<void> {
  compiled ??= readFile(WASM).then((bytes) => WebAssembly.compile(new Uint8Array(bytes)));
  await compiled;
}
