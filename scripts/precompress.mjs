import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { root } from "./run.mjs";

const compress = promisify(brotliCompress);
const CACHE = join(root, "node_modules", ".cache", "limn-brotli");
/** Brotli level that compresses to a fifth. Higher levels take ten times as long for a tenth less. */
const QUALITY = 9;

/**
 * Writes a compressed copy of every WebAssembly file in a folder of the build, which the server sends instead. Copies
 * are cached by name, which has a hash of the content.
 */
export async function precompress(folder) {
  mkdirSync(CACHE, { recursive: true });
  const names = readdirSync(folder).filter((name) => name.endsWith(".wasm"));
  await Promise.all(names.map((name) => compressOne(folder, name)));
}

async function compressOne(folder, name) {
  const cached = join(CACHE, `${name}.br`);
  if (!existsSync(cached)) {
    const content = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    const unfinished = `${cached}.${process.pid}`;
    writeFileSync(unfinished, await compress(content, { params }));
    renameSync(unfinished, cached);
  }
  copyFileSync(cached, join(folder, `${name}.br`));
}
