import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { root } from "./run.mjs";

const compress = promisify(brotliCompress);
const CACHE = join(root, "node_modules", ".cache", "limn-brotli");
/** A fifth of the size is left; higher levels take ten times as long for a tenth less. */
const QUALITY = 9;

/**
 * Puts a compressed copy beside every WebAssembly file of a folder of the build, which the server sends in its place. Made
 * once for each content: the names contain its hash.
 */
export async function precompress(folder) {
  mkdirSync(CACHE, { recursive: true });
  const names = readdirSync(folder).filter((name) => name.endsWith(".wasm"));
  await Promise.all(names.map((name) => compressOne(folder, name)));
}

async function compressOne(folder, name) {
  const kept = join(CACHE, `${name}.br`);
  if (!existsSync(kept)) {
    const content = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, await compress(content, { params }));
    renameSync(unfinished, kept);
  }
  copyFileSync(kept, join(folder, `${name}.br`));
}
